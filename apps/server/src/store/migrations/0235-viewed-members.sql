-- The member as whom an admin views the pages in this session; null if the admin does not.
alter table sessions add column viewed_user_id text;
