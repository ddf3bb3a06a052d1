-- Whether members may upload files into a database of their own.
alter table organizations add column member_uploads_enabled boolean not null default false;
