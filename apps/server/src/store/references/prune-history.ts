import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Forgets versions that no page can ask for any more, a batch at a time so that no statement holds locks for long.
 * Returns how many rows it dealt with; call again while it is not 0.
 */
export async function pruneReferenceHistory(
  db: Db,
  options: { replacedBefore: Date; batchSize?: number },
): Promise<number> {
  const batchSize = options.batchSize ?? 1000
  const forgotten = await sql`
    delete from query_reference_history where ctid in (
      select ctid from query_reference_history where replaced_at < ${options.replacedBefore} limit ${batchSize})`.execute(db)
  const unlisted = await sql`
    update query_references set is_listed = false where id = any (array(
      select id from query_references
      where deleted_at < ${options.replacedBefore} and is_listed
      -- One that is being restored at this moment is not waited for.
      limit ${batchSize} for update skip locked))`.execute(db)
  return Number(forgotten.numAffectedRows ?? 0n) + Number(unlisted.numAffectedRows ?? 0n)
}
