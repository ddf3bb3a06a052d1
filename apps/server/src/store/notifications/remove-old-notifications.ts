import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A portion at a call, so that no statement holds locks for long. Returns how many there were. */
export async function removeOldNotifications(
  db: Db,
  options: { createdBefore: Date; portion: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from notifications where id in (
      select id from notifications
      where created_at < ${options.createdBefore}
      order by created_at
      limit ${options.portion}
      for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
