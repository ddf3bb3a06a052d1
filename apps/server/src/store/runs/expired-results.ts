import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Completed runs whose stored result is past its lifetime and still stored. */
export async function findExpiredResults(db: Db, options: { completedBefore: Date; count: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('status', '=', 'completed')
    .where('result_removed_at', 'is', null)
    .where('completed_at', '<', options.completedBefore)
    .limit(options.count)
    .execute()
  return rows.map((row) => row.id)
}

export async function markResultsRemoved(db: Db, options: { runIds: string[]; now: Date }): Promise<void> {
  // Locked in the order of their ids, so that two processes cannot end in a deadlock.
  await sql`
    update runs set result_removed_at = ${options.now}
    where id in (select id from runs where id = any(${options.runIds}::text[]) order by id for update)`.execute(db)
}
