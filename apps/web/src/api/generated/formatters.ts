// Made from the definitions of the engines by `npm run types`; a test keeps it so. Not for editing.

export { duckdb, postgresql as postgres, mysql, clickhouse, trino } from 'sql-formatter'
