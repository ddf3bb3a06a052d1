-- Admins can turn off all public links of their organization (docs/share.md).
alter table organizations add column public_links_enabled boolean not null default true;
