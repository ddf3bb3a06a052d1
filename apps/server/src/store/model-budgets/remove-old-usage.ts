import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** Removes a batch of rows. Concurrent sweeps skip each other's rows. */
export async function removeOldUsage(db: Db, options: { before: Date; batchSize: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    with old as materialized (
      select organization_id, day, user_id, source_id, model from model_usage
      where day < (${options.before}::timestamptz at time zone 'UTC')::date
      order by day
      limit ${options.batchSize}
      for update skip locked)
    delete from model_usage where (organization_id, day, user_id, source_id, model) in (
      select organization_id, day, user_id, source_id, model from old)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
