-- The newest completed and the newest failed run with exactly some SQL: a board looks them up for each of its tiles. Ordered by time and not
-- by number, as no other index is, so that the planner has no reason to scan all runs of a query from the newest.
-- without a transaction: runs may be many, and those that end do not wait until the index is built.
drop index concurrently if exists runs_ended_by_sql;
create index concurrently runs_ended_by_sql on runs (query_id, md5(rendered_sql), status, completed_at desc, number desc)
  where status in ('completed', 'failed');
