import type { Database } from '../api/databases.ts'

/** The schema whose tables can be named without a schema prefix. MySQL and ClickHouse call a schema a database. */
export function defaultSchemaOf(database: Pick<Database, 'engine' | 'settings'>): string {
  const { settings } = database
  switch (database.engine) {
    case 'duckdb':
      return 'main'
    case 'postgres':
      return 'public'
    case 'mysql':
    case 'clickhouse':
      return 'database' in settings ? settings.database : ''
  }
}
