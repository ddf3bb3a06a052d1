import { embeddedEngine } from '../../engines/registry/definitions.ts'
import type { Caller } from '../../model/caller.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { findUser } from '../../store/people/find-user-by-email.ts'
import { requireUploads } from '../access/require-upload.ts'
import { shortened } from '../shortened.ts'
import { type AddDatabaseDeps, addGeneratedDatabase, makeEmpty } from './add-database.ts'
import { isOnServer } from './is-on-server.ts'

const nameMaxCharacters = 100

/** The database that holds the caller's own uploads. It is created when it is first needed. */
export async function getUploadsDatabase(deps: AddDatabaseDeps, caller: Caller): Promise<AnalyticalDatabase> {
  await requireUploads(deps.db, caller)
  const existing = await findUploadsDatabase(deps, caller)
  if (existing) return existing
  const { name, email } = (await findUser(deps.db, caller.userId))!
  try {
    return await addUploadsDatabase(deps, caller, name)
  } catch (error) {
    // Another request created it first, or another database has its name.
    const created = await findUploadsDatabase(deps, caller)
    return created ?? addUploadsDatabase(deps, caller, email).catch(() => Promise.reject(error as Error))
  }
}

const findUploadsDatabase = async ({ db }: Pick<AddDatabaseDeps, 'db'>, { organizationId, userId }: Caller) =>
  (await listDatabases(db, organizationId)).find((database) => !isOnServer(database) && database.settings.ownerId === userId)

const addUploadsDatabase = (deps: AddDatabaseDeps, caller: Caller, owner: string) =>
  addGeneratedDatabase(deps, caller, {
    name: shortened(`Uploads of ${owner}`, nameMaxCharacters),
    engine: embeddedEngine,
    make: (target) => makeEmpty(deps, target),
    ownerId: caller.userId,
  })
