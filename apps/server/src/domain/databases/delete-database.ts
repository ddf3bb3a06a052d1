import { rm } from 'node:fs/promises'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { countDatabaseUses, type DatabaseUses } from '../../store/databases/database-uses.ts'
import { lockDatabasesOnFile, markDatabaseDeleted } from '../../store/databases/databases.ts'
import { type Caller, requireAdmin } from '../people/caller.ts'
import { Refusal } from '../refusal.ts'
import { databaseFile } from './engines.ts'
import { noDatabase, wantDatabase } from './want-database.ts'

/**
 * Deletes a database that no saved query needs. Queries that were only tried out do not count: they and their results
 * stay to be looked at, but cannot be run again. A file that came through the pages goes too; one that the operator
 * put there is the operator's.
 */
export async function deleteDatabase(
  deps: { db: Db; clock: Clock; dataDirectory: string },
  caller: Caller,
  configId: string,
): Promise<void> {
  requireAdmin(caller)
  const { organizationId, settings } = await wantDatabase(deps, caller, configId)
  const key = { organizationId, configId }
  const isFileFree = await deps.db.transaction().execute(async (tx) => {
    const standing = await lockDatabasesOnFile(tx, { organizationId, file: settings.file })
    if (!standing.some(({ id }) => id === configId)) throw noDatabase(configId)
    refuseWhileUsed(await countDatabaseUses(tx, key))
    await markDatabaseDeleted(tx, key, deps.clock.now())
    return standing.length === 1
  })
  if (!isFileFree || !isOfOurMaking(settings.file)) return
  await rm(databaseFile({ ...deps, organizationId, settings }), { force: true })
}

const isOfOurMaking = (file: string) => /^db_\w{22}\.duckdb$/.test(file)

function refuseWhileUsed({ savedQueryCount, unfinishedRunCount }: DatabaseUses): void {
  if (savedQueryCount > 0) {
    const which = savedQueryCount === 1 ? 'One saved query runs' : `${savedQueryCount} saved queries run`
    const what = savedQueryCount === 1 ? 'it' : 'them'
    throw new Refusal('database_in_use', `${which} against this database. Delete ${what} first.`)
  }
  if (unfinishedRunCount > 0) {
    throw new Refusal('database_in_use', 'A query is running against this database. Wait for it to end, or stop it.')
  }
}
