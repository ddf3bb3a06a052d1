import type { FileSettings } from '../../model/database.ts'
import type { ServerSettings } from '../../model/server-settings.ts'

export const isOnServer = <Database extends { settings: FileSettings | ServerSettings }>(
  database: Database,
): database is Extract<Database, { settings: ServerSettings }> => !('file' in database.settings)
