-- The newest completed and the newest failed run with exactly some SQL: a board looks them up for each of its tiles.
-- without a transaction: runs may be many, and those that end do not wait until the index is built.
drop index concurrently if exists runs_ended_by_sql;
create index concurrently runs_ended_by_sql on runs (query_id, md5(rendered_sql), status, number desc)
  where status in ('completed', 'failed');
