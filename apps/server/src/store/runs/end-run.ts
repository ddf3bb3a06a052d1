import { sql } from 'kysely'
import type { RunStatistics } from '../../engines/engine.ts'
import type { Db } from '../db.ts'

export type RunOutcome =
  | { status: 'completed'; rowCount: number; statistics: RunStatistics; sizeBytes: number; hash: string }
  | { status: 'failed'; reason: string }

/**
 * Writes how a run ended, if this worker still holds it. False when it does not (its lease expired and the run was failed by
 * another): what this worker did then counts for nothing.
 */
export async function endRun(
  db: Db,
  options: { runId: string; workerId: string; outcome: RunOutcome; now: Date },
): Promise<boolean> {
  const { outcome } = options
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({
      status: outcome.status,
      completed_at: options.now,
      ended_xid: sql`pg_current_xact_id()`,
      lease_expires_at: null,
      ...(outcome.status === 'completed'
        ? {
            row_count: outcome.rowCount,
            rows_read: outcome.statistics.rowsRead,
            rows_written: outcome.statistics.rowsWritten,
            result_size_bytes: outcome.sizeBytes,
            result_hash: outcome.hash,
          }
        : { failure_reason: outcome.reason }),
    })
    .where('id', '=', options.runId)
    .where('status', '=', 'running')
    .where('lease_owner', '=', options.workerId)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Fails the running runs whose worker has not renewed its lease: it died. Returns their ids. */
export async function failAbandonedRuns(db: Db, options: { now: Date; reason: string }): Promise<string[]> {
  const rows = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: options.now,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: options.reason,
      lease_expires_at: null,
    })
    .where('status', '=', 'running')
    .where('lease_expires_at', '<=', options.now)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** A pending run that is not to start any more. False when it is no longer pending. */
export async function failPendingRun(
  db: Db,
  options: { runId: string; reason: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: options.now,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: options.reason,
    })
    .where('id', '=', options.runId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
