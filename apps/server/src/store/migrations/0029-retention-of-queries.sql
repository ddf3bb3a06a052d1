-- without a transaction: queries may be many, and those who store some do not wait until the indexes are built.

-- First pages read living queries only; later ones may have to show queries that have expired since. The first of these indexes
-- takes the place of queries_newest_first, which processes of the version before still need.
drop index concurrently if exists queries_living_newest_first;
create index concurrently queries_living_newest_first on queries (organization_id, created_at desc, id desc)
  where expired_at is null;
drop index concurrently if exists queries_expired_newest_first;
create index concurrently queries_expired_newest_first on queries (organization_id, created_at desc, id desc, expired_xid)
  where expired_at is not null;
-- Which of them expired since a sequence of pages began.
drop index concurrently if exists queries_expired_by_transaction;
create index concurrently queries_expired_by_transaction on queries (organization_id, expired_xid, created_at)
  where expired_at is not null;
-- Which of them no page can show any more.
drop index concurrently if exists queries_expired;
create index concurrently queries_expired on queries (expired_at) where expired_at is not null;
