-- The queries in a folder.
-- without a transaction: references may be many, and people go on saving while the index is built.
drop index concurrently if exists query_references_in_folder;
create index concurrently query_references_in_folder on query_references (folder_id)
  where folder_id is not null and deleted_at is null;
