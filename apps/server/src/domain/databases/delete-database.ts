import { rm } from 'node:fs/promises'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { removeCatalog } from '../../store/catalog/write-catalog.ts'
import type { Db, Tx } from '../../store/db.ts'
import { type DatabaseUses, readDatabaseUses, savedQueryCountMax } from '../../store/databases/database-uses.ts'
import { lockDatabase, lockDatabasesOnFile, markDatabaseDeleted } from '../../store/databases/databases-table.ts'
import { recordAction } from '../audit/record-action.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { isOnServer } from './is-on-server.ts'
import { databaseFile, type Engines } from './engines.ts'
import { noDatabase, getDatabaseConfig } from './get-database-config.ts'

/**
 * Deletes a database that no saved query uses. Unsaved queries do not count: they and their results can still be viewed, but not
 * run again. An uploaded file is deleted too. A file that the operator put there is kept, and nothing on a server is touched.
 */
export async function deleteDatabase(
  deps: { db: Db; clock: Clock; random: Random; engines: Pick<Engines, 'retire'>; dataDirectory: string },
  caller: Caller,
  configId: string,
): Promise<void> {
  requireAdmin(caller)
  const database = await getDatabaseConfig(deps, caller, configId)
  const key = { organizationId: database.organizationId, configId }
  const freeFile = await deps.db.transaction().execute(async (tx) => {
    const existing = await lockExisting(tx, database)
    if (!existing.some(({ id }) => id === configId)) throw noDatabase(configId)
    refuseWhileUsed(await readDatabaseUses(tx, key))
    await markDatabaseDeleted(tx, key, deps.clock.now())
    await removeCatalog(tx, { organizationId: key.organizationId, databaseId: configId })
    const subject = { type: 'database', id: configId, name: database.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'database.deleted', subject, details: { engine: database.engine } })
    return !isOnServer(database) && existing.length === 1 && isManagedFile(database.settings.file) ? database : undefined
  })
  deps.engines.retire(configId)
  if (freeFile) await rm(databaseFile({ ...deps, ...freeFile }), { force: true })
}

/** Locks the database and, if it is on a file, all databases on the same file. */
async function lockExisting(tx: Tx, database: AnalyticalDatabase): Promise<AnalyticalDatabase[]> {
  const { id: configId, organizationId } = database
  if (!isOnServer(database)) return lockDatabasesOnFile(tx, { organizationId, file: database.settings.file })
  const locked = await lockDatabase(tx, { organizationId, configId })
  return locked ? [locked] : []
}

const isManagedFile = (file: string) => /^db_\w{22}\.\w+$/.test(file)

function refuseWhileUsed({ savedQueryCount, savedQueries, hasUnfinishedRun }: DatabaseUses): void {
  if (savedQueryCount > 0) {
    const count = savedQueryCount < savedQueryCountMax ? String(savedQueryCount) : `${savedQueryCountMax} or more`
    const which = savedQueryCount === 1 ? 'One saved query runs' : `${count} saved queries run`
    const what = savedQueryCount === 1 ? 'it' : 'them'
    const details = savedQueries.map(({ shortId, title }) => ({ path: `/references/${shortId}`, message: title }))
    throw new Refusal('database_in_use', `${which} against this database. Delete ${what} first.`, details)
  }
  if (hasUnfinishedRun) {
    throw new Refusal('database_in_use', 'A query is running against this database. Wait for it to end, or stop it.')
  }
}
