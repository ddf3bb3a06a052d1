import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { ResultPlace } from './begin-and-finish.ts'

export interface LeftoverResult {
  runId: string
  place: ResultPlace
  uploadId: string | null
  sizeBytes: number | null
}

/**
 * Results whose bytes are no longer needed: they were removed a while ago, their writer died, or they are past any result's
 * lifetime (their writer died right after writing). None of them is held by a reader.
 */
export async function findLeftovers(
  db: Db,
  options: {
    places: ResultPlace[]
    now: Date
    removedBefore: Date
    abandonedBefore: Date
    writtenBefore: Date
    count: number
  },
): Promise<LeftoverResult[]> {
  const { rows } = await sql<LeftoverResult>`
    select run_id as "runId", place, upload_id as "uploadId", size_bytes as "sizeBytes" from results
    where place = any(${options.places}) and held_until <= ${options.now} and (
      removed_at <= ${options.removedBefore}
      or written_at <= ${options.writtenBefore}
      or (written_at is null and held_until <= ${options.abandonedBefore}))
    limit ${options.count}`.execute(db)
  return rows
}

/**
 * Deletes the ledger rows of results. Their bytes are already deleted, except pieces that a writer considered dead may be writing at
 * this moment. Locking the rows waits for such writes, and later ones fail because the row is gone.
 */
export async function forgetResults(db: Db, runIds: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Lock in id order, so that two processes cannot deadlock.
    await tx.selectFrom('results').select('run_id').where('run_id', 'in', runIds).orderBy('run_id').forUpdate().execute()
    await tx.deleteFrom('result_pieces').where('run_id', 'in', runIds).execute()
    await tx.deleteFrom('results').where('run_id', 'in', runIds).execute()
  })
}
