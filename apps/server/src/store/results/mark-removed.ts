import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** From now on they cannot be opened. Locked in the order of their ids, so that two processes cannot end in a deadlock. */
export async function markResultsRemoved(db: Db, options: { runIds: string[]; removedAt: Date }): Promise<void> {
  await sql`
    update results set removed_at = ${options.removedAt}
    where run_id in (
      select run_id from results where run_id = any(${options.runIds}::text[]) and removed_at is null
      order by run_id for update)`.execute(db)
}
