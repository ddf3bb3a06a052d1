-- What dbt projects say about tables, as the newest import of each project has read it. See model/dbt.ts.
create table dbt_imports (
  organization_id text not null,
  analytical_database_config_id text not null,
  project text not null,
  manifest_version integer not null,
  -- As dbt wrote it.
  generated_at text,
  table_count integer not null,
  found_table_count integer not null,
  described_column_count integer not null,
  -- [{ name, label, description }]
  metrics jsonb not null,
  imported_by text not null references users (id),
  imported_at timestamptz not null,
  primary key (organization_id, analytical_database_config_id, project),
  foreign key (organization_id, analytical_database_config_id)
    references analytical_database_configs (organization_id, id)
);

create table dbt_tables (
  organization_id text not null,
  analytical_database_config_id text not null,
  schema_name text not null,
  table_name text not null,
  project text not null,
  -- Everything else of model/dbt.ts.
  content jsonb not null,
  primary key (organization_id, analytical_database_config_id, schema_name, table_name),
  foreign key (organization_id, analytical_database_config_id, project)
    references dbt_imports (organization_id, analytical_database_config_id, project) on delete cascade
);
create index dbt_tables_project on dbt_tables (organization_id, analytical_database_config_id, project);
