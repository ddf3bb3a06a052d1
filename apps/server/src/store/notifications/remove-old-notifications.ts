import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Removes one portion per call, so that no statement holds locks for long. Returns the number of rows removed.
 *
 * Here and in every other sweep the rows are selected by `array(…)` or a materialized query, which run once. With a plain `in (…)` the
 * planner may rerun the subquery for each row of the table, selecting other rows each time, until all rows are deleted.
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
