-- The oldest pending run of each database, for workers that ask for it in turn.
-- without a transaction: runs may be many, and those who add some do not wait until the index is built.
drop index concurrently if exists runs_pending_by_database;
create index concurrently runs_pending_by_database on runs (organization_id, analytical_database_config_id, run_at, id)
  where status = 'pending';
