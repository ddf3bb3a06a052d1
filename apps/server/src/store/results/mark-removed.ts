import type { Db } from '../db.ts'

/** From now on it cannot be opened. */
export async function markResultRemoved(db: Db, options: { runId: string; removedAt: Date }): Promise<void> {
  await db
    .updateTable('results')
    .set({ removed_at: options.removedAt })
    .where('run_id', '=', options.runId)
    .where('removed_at', 'is', null)
    .execute()
}
