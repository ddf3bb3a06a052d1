import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Completed runs whose result is past its lifetime but still stored, without those whose result has yet to be kept. */
export async function findExpiredResults(db: Db, options: { completedBefore: Date; count: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('runs')
    .select('id')
    .where('status', '=', 'completed')
    .where('result_removed_at', 'is', null)
    .where('completed_at', '<', options.completedBefore)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('archive_jobs').select('run_id').whereRef('run_id', '=', 'runs.id').where('state', '=', 'due'))),
    )
    .limit(options.count)
    .execute()
  return rows.map((row) => row.id)
}

export async function markResultsRemoved(db: Db, options: { runIds: string[]; now: Date }): Promise<void> {
  // Lock in id order, so that two processes cannot deadlock.
  await sql`
    update runs set result_removed_at = ${options.now}
    where id in (select id from runs where id = any(${options.runIds}::text[]) order by id for update)`.execute(db)
}
