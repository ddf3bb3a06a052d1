import type { ConfiguredDatabase } from '../../model/database.ts'

/** Whether it is the database in which queries read saved queries with `ref(…)`. */
export const readsSavedQueries = <Database extends Pick<ConfiguredDatabase, 'engine' | 'settings'>>(
  database: Database,
): database is Extract<Database, { engine: 'duckdb' }> =>
  database.engine === 'duckdb' && 'readsSavedQueries' in database.settings && database.settings.readsSavedQueries
