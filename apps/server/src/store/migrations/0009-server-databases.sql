-- Databases on servers: how each is reached, and its password.

-- beside older versions: the check that takes its place allows all that this one does.
alter table analytical_database_configs
  drop constraint analytical_database_configs_engine_check;
-- beside older versions: whatever they write passes the wider check, and there are as few rows to look at as databases. The other
-- kinds can be asked for only of processes that know them.
alter table analytical_database_configs
  add constraint analytical_database_configs_engine_check
    check (engine in ('duckdb', 'postgres', 'mysql', 'clickhouse')),
  -- Sealed for its database, its user and the places that `settings` name; null where there is none.
  add column sealed_password bytea,
  -- Counts the changes of settings and password. An engine is opened for one revision and serves no other.
  add column revision integer not null default 1;
