import type { Db } from '../db.ts'

export type ResultPlace = 'postgres' | 'postgres_zstd' | 's3' | 's3_zstd'

/** Records that a result is about to be written. Each run's result is written once. */
export async function beginResult(
  db: Db,
  options: { runId: string; place: ResultPlace; heldUntil: Date },
): Promise<void> {
  await db
    .insertInto('results')
    .values({ run_id: options.runId, place: options.place, held_until: options.heldUntil })
    .execute()
}

/** False if the result was abandoned because its writer was considered dead. */
export async function noteUpload(db: Db, options: { runId: string; uploadId: string }): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('results')
    .set({ upload_id: options.uploadId })
    .where('run_id', '=', options.runId)
    .where('written_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Makes the result available. False if it was abandoned, as above. */
export async function finishResult(
  db: Db,
  options: { runId: string; sizeBytes: number; writtenAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('results')
    .set({ size_bytes: options.sizeBytes, written_at: options.writtenAt, upload_id: null })
    .where('run_id', '=', options.runId)
    .where('written_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
