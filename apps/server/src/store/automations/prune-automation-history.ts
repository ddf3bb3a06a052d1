import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Removes former parts of automations that no page can show any more, one batch per call. Returns the number of rows. */
export async function pruneAutomationHistory(db: Db, options: { replacedBefore: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from automation_history where ctid = any (array(
      select ctid from automation_history where replaced_at < ${options.replacedBefore} limit ${options.batchSize}))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
