import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Removes a portion per call, so that no statement holds locks for long. Concurrent sweeps skip each other's rows. A tally carries the hour
 * of its record, so it can be up to an hour older than the record.
 */
export async function removeOldTallies(db: Db, options: { before: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select organization_id, action, actor, hour from audit_tallies
      where hour < ${options.before}::timestamptz - interval '1 hour'
      order by hour
      limit ${options.portion}
      for update skip locked)
    delete from audit_tallies where (organization_id, action, actor, hour) in (
      select organization_id, action, actor, hour from old)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}

export async function removeOldKeyUse(db: Db, options: { before: Date; portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select organization_id, key_id, hour, route from key_use where hour < ${options.before}
      order by hour
      limit ${options.portion}
      for update skip locked)
    delete from key_use where (organization_id, key_id, hour, route) in (
      select organization_id, key_id, hour, route from old)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
