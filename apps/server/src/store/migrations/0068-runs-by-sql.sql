-- The newest completed and the newest failed run with exactly some SQL: a board looks them up for each of its tiles. One expression covers the
-- query and the SQL, so that no other index fits and the planner has no choice, whatever it knows about the table.
-- without a transaction: runs may be many, and those that end do not wait until the index is built.
drop index concurrently if exists runs_ended_by_sql;
create index concurrently runs_ended_by_sql on runs (md5(query_id::text || rendered_sql), status, completed_at desc, number desc)
  where status in ('completed', 'failed');
