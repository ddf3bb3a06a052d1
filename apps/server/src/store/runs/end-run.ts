import { sql } from 'kysely'
import type { ErrorPosition } from '../../model/run.ts'
import type { RunStatistics } from '../../model/result.ts'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import type { RunLease } from './run-leases.ts'

export type RunOutcome =
  | { status: 'completed'; rowCount: number; statistics: RunStatistics; sizeBytes: number; hash: string }
  | {
      status: 'failed'
      reason: string
      errorPosition?: ErrorPosition | null
      /** The id of the user, if one stopped it. */
      stoppedBy?: string
    }

export interface HeldRun extends RunLease {
  workerId: string
}

/**
 * Records how a run ended, if this worker still holds it. False if it does not (its lease expired and another process failed the
 * run); the worker then removes its result. Idempotent under the same lease, so that a retry after a lost response returns the same
 * answer.
 *
 * The statement that completes a run also requests that its result is kept, if a reference points to its query, queues it for the
 * change feeds of these references, and notifies the automations that watch it, so none of them can miss a result. An automation is not notified of results that its own run requested. Results requested by a run that a condition started notify no automation,
 * or automations could trigger one another in a loop.
 */
export async function endRun(db: Db, held: HeldRun, outcome: RunOutcome): Promise<boolean> {
  const isEnded = outcome.status === 'completed' ? await completeRun(db, held, outcome) : await failRun(db, held, outcome)
  return isEnded || wasEndedBy(db, held, outcome)
}

async function completeRun(
  db: Db,
  held: HeldRun,
  outcome: Extract<RunOutcome, { status: 'completed' }>,
): Promise<boolean> {
  const { rows } = await sql`${prepared} ${wakes('run_ends', 'runs', 'archive_jobs')}
    with ended as (
      update runs
      set status = 'completed', completed_at = ${storeNow}, ended_xid = pg_current_xact_id(), lease_expires_at = null,
        row_count = ${outcome.rowCount}, rows_read = ${outcome.statistics.rowsRead}, rows_written = ${outcome.statistics.rowsWritten},
        bytes_read = ${outcome.statistics.bytesRead ?? null}::bigint,
        result_size_bytes = ${outcome.sizeBytes}, result_hash = ${outcome.hash}
      where id = ${held.id} and status = 'running' and lease_owner = ${held.workerId} and lease_number = ${held.leaseNumber}
      returning id, organization_id, query_id, trigger_id),
    kept as (
      insert into archive_jobs (run_id, organization_id, requested_at, next_attempt_at)
      select id, organization_id, ${storeNow}, ${storeNow} from ended
      where exists (
        select from query_references as reference
        where reference.query_id = ended.query_id and not reference.is_optimistic and reference.deleted_at is null)
      on conflict do nothing),
    -- The lock of a feed is held until the end is committed, so the queue has the order in which runs ended.
    fed as (
      update change_feeds as feed set next_position = feed.next_position + 1
      from ended join query_references as reference on reference.query_id = ended.query_id and not reference.is_optimistic
        and reference.deleted_at is null
      where feed.reference_id = reference.id and feed.is_publishing
      returning feed.reference_id, feed.next_position - 1 as position, feed.organization_id, ended.id as run_id, reference.parameters),
    queued as (
      insert into change_feed_results (reference_id, position, organization_id, run_id, parameters)
      select reference_id, position, organization_id, run_id, parameters from fed),
    notified as (
      update automations
      set unjudged_run_id = ended.id
      from ended join query_references as reference on reference.query_id = ended.query_id and reference.deleted_at is null
      where automations.watched_reference_id = reference.id and automations.enabled and automations.deleted_at is null
        and not exists (
          select from agent_runs
          where agent_runs.id = ended.trigger_id
            and (agent_runs.automation_id = automations.id or agent_runs.trigger = 'condition')))
    select id from ended`.execute(db)
  return rows.length === 1
}

async function failRun(db: Db, held: HeldRun, outcome: Extract<RunOutcome, { status: 'failed' }>): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: storeNow,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: outcome.reason,
      error_line: outcome.errorPosition?.line ?? null,
      error_column: outcome.errorPosition?.column ?? null,
      // A run that failed for another reason before a requested stop took effect was not stopped.
      stop_requested_by: outcome.stoppedBy ?? null,
      lease_expires_at: null,
    })
    .where('id', '=', held.id)
    .where('status', '=', 'running')
    .where('lease_owner', '=', held.workerId)
    .where('lease_number', '=', held.leaseNumber)
    .modifyEnd(wakes('run_ends', 'runs'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

async function wasEndedBy(db: Db, held: HeldRun, outcome: RunOutcome): Promise<boolean> {
  const row = await db
    .selectFrom('runs')
    .select('id')
    .where('id', '=', held.id)
    .where('status', '=', outcome.status)
    .where('lease_owner', '=', held.workerId)
    .where('lease_number', '=', held.leaseNumber)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Fails running runs whose lease has expired because their worker died or cannot reach the store. Their lease number changes, so that
 * later writes of that worker are rejected. Returns their ids.
 */
export async function failAbandonedRuns(db: Db, options: { reason: string }): Promise<string[]> {
  const rows = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: storeNow,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: options.reason,
      stop_requested_by: null,
      lease_number: sql`lease_number + 1`,
      lease_expires_at: null,
    })
    .where('status', '=', 'running')
    .where('lease_expires_at', '<=', storeNow)
    .returning('id')
    .modifyEnd(wakes('run_ends', 'runs'))
    .execute()
  return rows.map((row) => row.id)
}

/** Fails a pending run so that it never starts. False if it is no longer pending. */
export async function failPendingRun(
  db: Db,
  options: { runId: string; reason: string; stoppedBy?: string; now: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('runs')
    .set({
      status: 'failed',
      completed_at: options.now,
      ended_xid: sql`pg_current_xact_id()`,
      failure_reason: options.reason,
      stop_requested_by: options.stoppedBy ?? null,
    })
    .where('id', '=', options.runId)
    .where('status', '=', 'pending')
    .modifyEnd(wakes('run_ends', 'runs'))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}
