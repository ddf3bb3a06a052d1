-- The folder that a query is in; null at the top.
alter table query_references add column folder_id text;
