// Made from the definitions of the engines by `npm run types`; a test keeps it so. Not for editing.

import { duckdb, postgresql, mysql, clickhouse, bigquery, trino, snowflake, redshift, sqlite } from 'sql-formatter'

export const formatters = { duckdb, postgres: postgresql, mysql, clickhouse, bigquery, trino, snowflake, redshift, sqlite }
