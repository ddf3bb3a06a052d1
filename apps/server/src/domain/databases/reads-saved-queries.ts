import type { ConfiguredDatabase, FileSettings } from '../../model/database.ts'

/** Whether it is the database in which queries read saved queries with `ref(…)`. */
export const readsSavedQueries = <Database extends Pick<ConfiguredDatabase, 'settings'>>(
  database: Database,
): database is Extract<Database, { settings: FileSettings }> =>
  'readsSavedQueries' in database.settings && database.settings.readsSavedQueries
