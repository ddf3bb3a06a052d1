import type { Clock } from '../ports/clock.ts'
import { copyRows, findAnyRelation, removeTables } from '../store/copy-store.ts'
import type { Db, Store } from '../store/db.ts'
import { migrate } from '../store/migrate.ts'
import { readTableFactsInUtc, type TableFacts } from '../store/read-table-facts.ts'
import { BackupError } from './manifest.ts'

/** Where a drill also restores the store: a PostgreSQL server. */
export interface DrillTarget {
  store: Pick<Store, 'db'>
  isCleanedUp: boolean
}

/** A drill never writes into a database that someone uses. */
export async function requireEmptyDatabase({ store }: DrillTarget): Promise<void> {
  const found = await findAnyRelation(store.db)
  if (found === undefined) return
  throw new BackupError(`The database of --into is not empty: it has ${found}. Create an empty one, such as with createdb.`)
}

/**
 * Restores an embedded store into an empty database, and returns the rows of both. Both get the schema of this version, so that a backup
 * of an older one proves that it can be upgraded.
 */
export async function restoreInto(
  target: DrillTarget,
  { from, clock, signal }: { from: Db; clock: Clock; signal: AbortSignal },
): Promise<{ before: Record<string, TableFacts>; after: Record<string, TableFacts> }> {
  const { db } = target.store
  try {
    await migrate({ db: from, clock })
    await migrate({ db, clock })
    await copyRows({ from, to: db, signal })
    return { before: await readTableFactsInUtc(from, signal), after: await readTableFactsInUtc(db, signal) }
  } finally {
    if (target.isCleanedUp) await removeTables(db)
  }
}
