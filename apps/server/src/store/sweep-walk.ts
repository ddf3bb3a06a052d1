import type { Db, Tx } from './db.ts'

/**
 * A walk checks the rows of a table in id order, one batch at a time. Which rows can be removed depends on other tables, so no index
 * can identify them; instead, every row is checked once a day, with a few index lookups each.
 *
 * The walk's own row stores its position and is locked while a batch is checked. So only one process works on it at a time, and the
 * next one continues where it stopped.
 */
export interface WalkedBatch {
  /** The number of rows removed. */
  rows: number
  /** Where the next batch continues; null at the end of the table. */
  nextAfterId: string | null
}

const everyMs = 24 * 3600_000

/** Processes one batch. Does nothing while another process works on the walk, or if the last walk ended less than a day ago. */
export async function walkBatch(
  db: Db,
  options: { kind: string; now: Date },
  processBatch: (tx: Tx, afterId: string | null) => Promise<WalkedBatch>,
): Promise<{ rows: number; hasMore: boolean }> {
  const { kind, now } = options
  const nothing = { rows: 0, hasMore: false }
  const walk = (of: Db | Tx) => of.selectFrom('sweep_walks').select(['after_id', 'finished_at']).where('kind', '=', kind)
  const known = await walk(db).executeTakeFirst()
  if (known && isRecentlyFinished(known, now)) return nothing
  if (!known) await db.insertInto('sweep_walks').values({ kind }).onConflict((conflict) => conflict.doNothing()).execute()
  return db.transaction().execute(async (tx) => {
    const locked = await walk(tx).forUpdate().skipLocked().executeTakeFirst()
    if (!locked || isRecentlyFinished(locked, now)) return nothing
    const { rows, nextAfterId } = await processBatch(tx, locked.after_id)
    const finished = nextAfterId === null ? { finished_at: now } : {}
    await tx.updateTable('sweep_walks').set({ after_id: nextAfterId, ...finished }).where('kind', '=', kind).execute()
    return { rows, hasMore: nextAfterId !== null }
  })
}

function isRecentlyFinished(walk: { after_id: string | null; finished_at: Date | null }, now: Date): boolean {
  if (walk.after_id !== null || walk.finished_at === null) return false
  const agoMs = now.getTime() - walk.finished_at.getTime()
  return agoMs >= 0 && agoMs < everyMs
}
