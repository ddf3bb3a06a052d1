-- A copy of the schemas of the databases, in which the tables relevant to a question are found.

create table catalogs (
  analytical_database_config_id text primary key,
  organization_id text not null,
  -- When the schema was last read; null until then.
  refreshed_at timestamptz,
  -- When a process last began to read it, so that others do not do the same.
  claimed_at timestamptz,
  foreign key (organization_id, analytical_database_config_id)
    references analytical_database_configs (organization_id, id)
);

create table catalog_tables (
  analytical_database_config_id text not null references catalogs (analytical_database_config_id) on delete cascade,
  schema_name text not null,
  table_name text not null,
  organization_id text not null,
  kind text not null check (kind in ('table', 'view')),
  row_estimate double precision,
  comment text,
  -- [{ name, type, comment }]
  columns jsonb not null,
  column_count integer not null,
  -- Of everything above and the organization's own descriptions: a table that has not changed is not written again.
  hash text not null,
  -- The words of the name (A), of descriptions of the table (B), of the columns (C) and of their descriptions (D). Each begins with a
  -- sign of the organization, as in search_lexemes(): looking for a word costs what the organization's own tables cost.
  words tsvector not null,
  primary key (analytical_database_config_id, schema_name, table_name)
);
create index catalog_tables_words on catalog_tables using gin (words) with (fastupdate = off);
