import type { Caller } from '../../model/caller.ts'
import type { Log } from '../../ports/log.ts'
import { claimStaleCatalogs } from '../../store/catalog/write-catalog.ts'
import { type DatabasesDeps, describeDatabase } from '../databases/databases.ts'
import { Refusal } from '../refusal.ts'

/**
 * Reads the schemas of the organization's databases again, where the catalog is missing or older than an hour. A database that cannot be
 * reached keeps its catalog.
 */
export async function refreshStaleCatalogs(deps: DatabasesDeps & { log: Log }, caller: Caller): Promise<void> {
  const stale = await claimStaleCatalogs(deps.db, caller.organizationId)
  await Promise.all(
    stale.map((databaseId) =>
      describeDatabase(deps, caller, databaseId).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error
        deps.log.info({ databaseId, reason: error.message }, 'catalog refresh failed')
      }),
    ),
  )
}
