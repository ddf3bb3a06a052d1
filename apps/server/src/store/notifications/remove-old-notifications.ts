import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * A portion at a call, so that no statement holds locks for long. Returns how many there were.
 *
 * Here and in every other sweep the rows are chosen by `array(…)` or a materialized query, which run once. As a plain `in (…)` the
 * planner may run them again for each row of the table, and each time they choose rows that are still there: all of them in the end.
 */
export async function removeOldNotifications(
  db: Db,
  options: { createdBefore: Date; portion: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where id = any (array(
      select id from notifications
      where created_at < ${options.createdBefore}
      order by created_at
      limit ${options.portion}
      for update skip locked))`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
