import type { AnalyticalDatabase, ServerEngine } from '../../model/database.ts'

export const isOnServer = <Database extends { engine: AnalyticalDatabase['engine'] }>(
  database: Database,
): database is Extract<Database, { engine: ServerEngine }> => database.engine !== 'duckdb'
