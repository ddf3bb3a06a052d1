-- A file that has been committed to take the place of a DuckDB database's file, and has not yet done so; see
-- domain/databases/pending-imports.ts.
alter table analytical_database_configs add column pending_import jsonb;
