-- Analytical databases as their page shows them: what was last known of each, and those that were deleted.

alter table analytical_database_configs
  -- How many tables and views it had when it was last described; null until then.
  add column table_count integer,
  -- What came of the last test, and when; null until there was one.
  add column last_test jsonb,
  -- Queries that once ran against a deleted database are kept, and so is the row that they point to.
  add column deleted_at timestamptz;

drop index analytical_database_configs_name;
create unique index analytical_database_configs_name on analytical_database_configs (organization_id, lower(name))
  where deleted_at is null;
