import type { Database, DatabaseInFull, ServerDatabase } from '../../api/databases.ts'

export const isOnServer = <Some extends Database | DatabaseInFull>(database: Some): database is Some & ServerDatabase =>
  'hasPassword' in database
