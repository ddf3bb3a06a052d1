import type { Db } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases-table.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase, DuckdbDatabase } from '../../model/database.ts'
import { isOnServer } from './is-on-server.ts'

export async function getDatabaseConfig(
  deps: { db: Db },
  caller: Pick<Caller, 'organizationId'>,
  configId: string,
): Promise<AnalyticalDatabase> {
  const { organizationId } = caller
  const database = isId(configId) ? await findDatabase(deps.db, { organizationId, configId }) : undefined
  if (!database) throw noDatabase(configId)
  return database
}

/** A database whose file the service may write. */
export async function getDuckdbDatabase(
  deps: { db: Db },
  caller: Pick<Caller, 'organizationId'>,
  configId: string,
): Promise<DuckdbDatabase> {
  const database = await getDatabaseConfig(deps, caller, configId)
  if (!isOnServer(database)) return database
  throw new Refusal(
    'invalid_request',
    'Files can be imported only into DuckDB databases; this one is on a server, and access to servers is read-only. ' +
      'Load the file there with that server’s own tools, or choose another database.',
  )
}

export const noDatabase = (configId: string) =>
  new Refusal('database_not_found', `There is no database ${JSON.stringify(configId)}.`)

export const nameTaken = (name: string) =>
  new Refusal('invalid_request', `Your organization already has a database named ${JSON.stringify(name)}.`, [
    { path: '/name', message: 'is taken; choose another' },
  ])
