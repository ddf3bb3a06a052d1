import { EngineError, type Table } from '../../engines/engine.ts'
import { abortAfter } from '../../ports/clock.ts'
import { countSavedQueries } from '../../store/databases/database-uses.ts'
import { listDatabases as readDatabases, recordDatabaseFacts } from '../../store/databases/databases-table.ts'
import type { Caller } from '../../model/caller.ts'
import type { TableDescriptionContent } from '../../model/knowledge.ts'
import { applyOwnDescriptions, readOwnDescriptions, withProposed } from '../catalog/own-descriptions.ts'
import { updateCatalog } from '../catalog/update-catalog.ts'
import { Refusal } from '../refusal.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { type DescribeDeps, describeSavedQueries } from './describe-saved-queries.ts'
import type { Engines } from './engines.ts'
import { readsSavedQueries } from './reads-saved-queries.ts'
import { answerWithinMs } from './try-database.ts'
import { getDatabaseConfig } from './get-database-config.ts'

export interface DatabasesDeps extends DescribeDeps {
  engines: Engines
}

export function listDatabases(deps: Pick<DatabasesDeps, 'db'>, caller: Caller): Promise<AnalyticalDatabase[]> {
  return readDatabases(deps.db, caller.organizationId)
}

export type DatabaseInFull = AnalyticalDatabase & {
  /** A database with saved queries cannot be deleted. Counted up to 1,000. */
  savedQueryCount: number
}

export async function getDatabase(
  deps: Pick<DatabasesDeps, 'db'>,
  caller: Caller,
  configId: string,
): Promise<DatabaseInFull> {
  const database = await getDatabaseConfig(deps, caller, configId)
  const savedQueryCount = await countSavedQueries(deps.db, { organizationId: caller.organizationId, configId })
  return { ...database, savedQueryCount }
}

/**
 * The tables of a database, with the organization's own descriptions where there are any. Also updates the catalog. `proposed` takes the
 * place of the saved descriptions of its table, but not in the catalog.
 */
export async function describeDatabase(
  deps: DatabasesDeps,
  caller: Caller,
  configId: string,
  { proposed }: { proposed?: TableDescriptionContent | undefined } = {},
): Promise<Table[]> {
  const database = await getDatabaseConfig(deps, caller, configId)
  if (readsSavedQueries(database)) return describeSavedQueries(deps, caller.organizationId)
  const engine = deps.engines.engineOf(database)
  const limit = abortAfter(deps.clock, answerWithinMs)
  try {
    const tables = await engine.describe(limit.signal)
    if (tables.length !== database.tableCount) {
      await recordDatabaseFacts(deps.db, { organizationId: caller.organizationId, configId }, { tableCount: tables.length })
    }
    const descriptions = await readOwnDescriptions(deps, database)
    await updateCatalog(deps, database, tables, descriptions)
    return applyOwnDescriptions(tables, proposed?.databaseId === configId ? withProposed(descriptions, proposed) : descriptions)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const isLate = limit.signal.aborted
    const message = isLate ? `The database did not respond within ${answerWithinMs / 1000} seconds.` : error.message
    throw new Refusal('database_unreachable', message)
  } finally {
    limit.cancel()
  }
}
