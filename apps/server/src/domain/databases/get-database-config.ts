import type { EngineDefinition } from '../../engines/definition.ts'
import type { Db } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases-table.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import { definitionOf, definitions } from '../../engines/registry/definitions.ts'
import type { AnalyticalDatabase, FileDatabase } from '../../model/database.ts'
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
export async function getImportableDatabase(
  deps: { db: Db },
  caller: Pick<Caller, 'organizationId'>,
  configId: string,
): Promise<FileDatabase> {
  return requireImportable(await getDatabaseConfig(deps, caller, configId))
}

export function requireImportable(database: AnalyticalDatabase): FileDatabase {
  if (isOnServer(database)) {
    throw new Refusal(
      'invalid_request',
      `Files can be imported only into ${importable} databases; this one is on a server, and access to servers is read-only. ` +
        'Load the file there with that server’s own tools, or choose another database.',
    )
  }
  if (takesTables(definitionOf(database.engine))) return database
  throw new Refusal(
    'invalid_request',
    `Files can be imported only into ${importable} databases; this one is an uploaded file, which is read-only. Choose another database.`,
  )
}

const takesTables = ({ place }: EngineDefinition) => place.on === 'file' && place.takesTables
const importable = definitions.filter(takesTables).map(({ name }) => name).join(' and ')

export const noDatabase = (configId: string) =>
  new Refusal('database_not_found', `There is no database ${JSON.stringify(configId)}.`)

export const nameTaken = (name: string) =>
  new Refusal('invalid_request', `Your organization already has a database named ${JSON.stringify(name)}.`, [
    { path: '/name', message: 'is taken; choose another' },
  ])
