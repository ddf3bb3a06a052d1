-- Databases with the sample shop, which is extended every day until somebody replaces one of its tables.
create table sample_shops (
  organization_id text not null,
  database_id text primary key,
  -- The rows depend only on these two days (UTC).
  first_start_on date not null,
  last_day date not null,
  foreign key (organization_id, database_id) references analytical_database_configs (organization_id, id)
);
