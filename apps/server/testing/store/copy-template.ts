import { createDatabase } from './create-database.ts'

/** Creates a database with the migrated tables on the server that the global setup has started; returns its URL. */
export const copyTemplate = (serverUrl: string): Promise<string> => createDatabase(serverUrl, { template: 'querypost_template' })
