import { embeddedEngine } from '../../engines/registry/definitions.ts'
import type { Caller } from '../../model/caller.ts'
import type { AnalyticalDatabase } from '../../model/database.ts'
import { listDatabases } from '../../store/databases/databases-table.ts'
import { type AddDatabaseDeps, addGeneratedDatabase, makeEmpty } from '../databases/add-database.ts'
import { readsSavedQueries } from '../databases/reads-saved-queries.ts'

const databaseName = 'Saved queries'

/**
 * The organization's database for queries that read other saved queries with `ref(…)`. It is created when it is first needed. It gives
 * access to nothing that a member could not read, so any member can create it.
 */
export async function getSavedQueriesDatabase(deps: AddDatabaseDeps, caller: Caller): Promise<AnalyticalDatabase> {
  const existing = await find(deps, caller)
  if (existing) return existing
  try {
    return await add(deps, caller, databaseName)
  } catch (error) {
    // Another request created it first, or another database has its name.
    return (await find(deps, caller)) ?? add(deps, caller, `${databaseName} (ref)`).catch(() => Promise.reject(error as Error))
  }
}

const find = async ({ db }: Pick<AddDatabaseDeps, 'db'>, { organizationId }: Caller) =>
  (await listDatabases(db, organizationId)).find(readsSavedQueries)

const add = (deps: AddDatabaseDeps, caller: Caller, name: string) =>
  addGeneratedDatabase(deps, caller, { name, engine: embeddedEngine, make: (target) => makeEmpty(deps, target), readsSavedQueries: true })
