import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A portion at a call, so that no statement holds locks for long; processes that sweep together pass over each other's. */
export async function removeOldRecords(db: Db, options: { before: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from audit_log where id in (
      select id from audit_log where occurred_at < ${options.before}
      order by occurred_at
      limit ${options.portion}
      for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export async function removeOldKeyUse(db: Db, options: { before: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from key_use where (organization_id, key_id, hour, route) in (
      select organization_id, key_id, hour, route from key_use where hour < ${options.before}
      order by hour
      limit ${options.portion}
      for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
