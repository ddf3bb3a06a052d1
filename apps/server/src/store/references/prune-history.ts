import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Deletes versions that no page can request any more, one batch per call, so that no statement holds locks for long.
 * Returns the number of rows affected; call again until it is 0.
 */
export async function pruneReferenceHistory(
  db: Db,
  options: { replacedBefore: Date; batchSize?: number },
): Promise<number> {
  const batchSize = options.batchSize ?? 1000
  const pruned = await sql`
    delete from query_reference_history where ctid in (
      select ctid from query_reference_history where replaced_at < ${options.replacedBefore} limit ${batchSize})`.execute(db)
  const unlisted = await sql`
    update query_references set is_listed = false where id = any (array(
      select id from query_references
      where deleted_at < ${options.replacedBefore} and is_listed
      -- Skip a reference that is being restored right now.
      limit ${batchSize} for update skip locked))`.execute(db)
  return Number(pruned.numAffectedRows ?? 0n) + Number(unlisted.numAffectedRows ?? 0n)
}
