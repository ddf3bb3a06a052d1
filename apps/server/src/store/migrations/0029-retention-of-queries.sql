-- without a transaction: queries may be many, and those who store some do not wait until the indexes are built.

-- First pages read living queries only; later ones may have to show queries that have been deleted since. The first of these indexes
-- takes the place of queries_newest_first, which processes of the version before still need.
drop index concurrently if exists queries_living_newest_first;
create index concurrently queries_living_newest_first on queries (organization_id, created_at desc, id desc)
  where deleted_at is null;
drop index concurrently if exists queries_deleted_newest_first;
create index concurrently queries_deleted_newest_first on queries (organization_id, created_at desc, id desc, deleted_xid)
  where deleted_at is not null;
-- Which of them were deleted since a sequence of pages began.
drop index concurrently if exists queries_deleted_by_transaction;
create index concurrently queries_deleted_by_transaction on queries (organization_id, deleted_xid, created_at)
  where deleted_at is not null;
-- Which of them no page can show any more.
drop index concurrently if exists queries_deleted;
create index concurrently queries_deleted on queries (deleted_at) where deleted_at is not null;
