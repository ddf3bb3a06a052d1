import { sql } from 'kysely'
import type { ErrorPosition, RunStatistics } from '../../engines/engine.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'

export type RunOutcome =
  | { status: 'completed'; rowCount: number; statistics: RunStatistics; sizeBytes: number; hash: string }
  | { status: 'failed'; reason: string; errorPosition?: ErrorPosition | null }

/**
 * Writes how a run ended, if this worker still holds it. False when it does not (its lease expired and the run was failed by
 * another): what this worker did then counts for nothing.
 *
 * The statement that completes a run also says so to the automations that watch it, so none of them can miss a result. A result
 * that an automation's own run asked for is no news to it; and one that any run begun by a condition asked for is news to none, or
 * automations could set one another off in a circle.
 */
export async function endRun(
  db: Db,
  options: { runId: string; workerId: string; outcome: RunOutcome; now: Date },
): Promise<boolean> {
  const { outcome } = options
  if (outcome.status === 'failed') return failRun(db, { ...options, ...outcome })
  const { rows } = await sql<{ count: number }>`${prepared}
    with ended as (
      update runs
      set status = 'completed', completed_at = ${options.now}, ended_xid = pg_current_xact_id(), lease_expires_at = null,
        row_count = ${outcome.rowCount}, rows_read = ${outcome.statistics.rowsRead}, rows_written = ${outcome.statistics.rowsWritten},
        bytes_read = ${outcome.statistics.bytesRead ?? null}::bigint,
        result_size_bytes = ${outcome.sizeBytes}, result_hash = ${outcome.hash}
      where id = ${options.runId} and status = 'running' and lease_owner = ${options.workerId}
      returning id, query_id, trigger_id),
    told as (
      update automations
      set unjudged_run_id = ended.id
      from ended join query_references as reference on reference.query_id = ended.query_id and reference.deleted_at is null
      where automations.watched_reference_id = reference.id and automations.enabled and automations.deleted_at is null
        and not exists (
          select from agent_runs
          where agent_runs.id = ended.trigger_id
            and (agent_runs.automation_id = automations.id or agent_runs.trigger = 'condition')))
    select count(*)::integer as count from ended`.execute(db)
  return rows[0]!.count === 1
}

async function failRun(
  db: Db,
  options: { runId: string; workerId: string; reason: string; errorPosition?: ErrorPosition | null; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: options.now,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: options.reason,
      error_line: options.errorPosition?.line ?? null,
      error_column: options.errorPosition?.column ?? null,
      lease_expires_at: null,
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
