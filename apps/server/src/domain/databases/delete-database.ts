import { rm } from 'node:fs/promises'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
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
 * Deletes a database that no saved query needs. Queries that were only tried out do not count: they and their results
 * stay to be looked at, but cannot be run again. A file that came through the pages goes too; one that the operator
 * put there is the operator's, and what is on a server is left as it is.
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
    const standing = await lockStanding(tx, database)
    if (!standing.some(({ id }) => id === configId)) throw noDatabase(configId)
    refuseWhileUsed(await readDatabaseUses(tx, key))
    await markDatabaseDeleted(tx, key, deps.clock.now())
    const subject = { type: 'database', id: configId, name: database.name } as const
    await recordAction({ ...deps, tx }, caller, { action: 'database.deleted', subject, details: { engine: database.engine } })
    return !isOnServer(database) && standing.length === 1 && isOfOurMaking(database.settings.file) ? database : undefined
  })
  deps.engines.retire(configId)
  if (freeFile) await rm(databaseFile({ ...deps, ...freeFile }), { force: true })
}

/** It and, where it is on a file, those beside it on the same one. */
async function lockStanding(tx: Tx, database: AnalyticalDatabase): Promise<AnalyticalDatabase[]> {
  const { id: configId, organizationId } = database
  if (!isOnServer(database)) return lockDatabasesOnFile(tx, { organizationId, file: database.settings.file })
  const locked = await lockDatabase(tx, { organizationId, configId })
  return locked ? [locked] : []
}

const isOfOurMaking = (file: string) => /^db_\w{22}\.duckdb$/.test(file)

function refuseWhileUsed({ savedQueryCount, hasUnfinishedRun }: DatabaseUses): void {
  if (savedQueryCount > 0) {
    const count = savedQueryCount < savedQueryCountMax ? String(savedQueryCount) : `${savedQueryCountMax} or more`
    const which = savedQueryCount === 1 ? 'One saved query runs' : `${count} saved queries run`
    const what = savedQueryCount === 1 ? 'it' : 'them'
    throw new Refusal('database_in_use', `${which} against this database. Delete ${what} first.`)
  }
  if (hasUnfinishedRun) {
    throw new Refusal('database_in_use', 'A query is running against this database. Wait for it to end, or stop it.')
  }
}
