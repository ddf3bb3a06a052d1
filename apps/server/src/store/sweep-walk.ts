import type { Db, Tx } from './db.ts'

/**
 * A walk judges the rows of a table in the order of their ids, a batch at a time. Which rows may go depends on other tables, so
 * no index could name them; instead every row is looked at once a day, by index probes of a few rows each.
 *
 * The walk's own row says where it is, and is locked while a batch is judged: one process at a time does that, and the next one
 * goes on where it was.
 */
export interface WalkedBatch {
  /** How many rows were removed. */
  rows: number
  /** From where the next batch goes on; null when the end of the table was reached. */
  nextAfterId: string | null
}

const everyMs = 24 * 3600_000

/** One batch of the walk; does nothing while another process is at it, or when the last walk ended less than a day ago. */
export async function walkBatch(
  db: Db,
  options: { kind: string; now: Date },
  judge: (tx: Tx, afterId: string | null) => Promise<WalkedBatch>,
): Promise<{ rows: number; hasMore: boolean }> {
  const { kind, now } = options
  const nothing = { rows: 0, hasMore: false }
  const walk = (of: Db | Tx) => of.selectFrom('sweep_walks').select(['after_id', 'finished_at']).where('kind', '=', kind)
  const known = await walk(db).executeTakeFirst()
  if (known && isResting(known, now)) return nothing
  if (!known) await db.insertInto('sweep_walks').values({ kind }).onConflict((conflict) => conflict.doNothing()).execute()
  return db.transaction().execute(async (tx) => {
    const locked = await walk(tx).forUpdate().skipLocked().executeTakeFirst()
    if (!locked || isResting(locked, now)) return nothing
    const { rows, nextAfterId } = await judge(tx, locked.after_id)
    const finished = nextAfterId === null ? { finished_at: now } : {}
    await tx.updateTable('sweep_walks').set({ after_id: nextAfterId, ...finished }).where('kind', '=', kind).execute()
    return { rows, hasMore: nextAfterId !== null }
  })
}

function isResting(walk: { after_id: string | null; finished_at: Date | null }, now: Date): boolean {
  if (walk.after_id !== null || walk.finished_at === null) return false
  const agoMs = now.getTime() - walk.finished_at.getTime()
  return agoMs >= 0 && agoMs < everyMs
}
