import { type RawBuilder, sql } from 'kysely'
import type { ErrorPosition } from '../../model/run.ts'
import type { RunStatistics } from '../../model/result.ts'
import type { Db, Tx } from '../db.ts'
import { inTransaction } from '../in-transaction.ts'
import { prepared } from '../prepared.ts'
import { pieceRows } from '../results/pieces.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import { isEventWanted } from '../webhooks/subscribers.ts'
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

/** A run that has just ended, with what its event needs. */
export interface EndedRun {
  id: string
  organizationId: string
  queryId: string
}

/** Publishes the event of a run's end, in the transaction that ends it. */
export type PublishRunEnd = (tx: Tx, run: EndedRun, outcome: RunOutcome) => Promise<void>

/**
 * Records how a run ended, if this worker still holds it. False if it does not (its lease expired and another process failed the
 * run); the worker then removes its result. Idempotent under the same lease, so that a retry after a lost response returns the same
 * answer.
 *
 * The statement that completes a run also requests that its result is kept, if a reference points to its query, queues it for the
 * change feeds of these references, and notifies the automations that watch it, so none of them can miss a result. The statement that fails a run notifies alerts. An automation
 * is not notified of results that its own run requested. Results requested by a run that a condition started notify no automation,
 * or automations could trigger one another in a loop. Nor do results that fill the history with past days, and results of people with
 * bindings of row rules, which are neither kept nor fed: others read what follows from them.
 *
 * Few organizations want an event for each run, so the first statement ends the run only if nobody does. Otherwise a transaction
 * ends it and publishes the event.
 */
export async function endRun(
  db: Db | Tx,
  held: HeldRun,
  outcome: RunOutcome,
  { publish, unstored }: EndOptions = {},
): Promise<boolean> {
  if (await writeEnd(db, held, outcome, { unless: publish && isWanted(outcome), unstored })) return true
  const isEndedWithEvent = publish && (await inTransaction(db, (tx) => endAndPublish(tx, held, outcome, { publish, unstored })))
  return isEndedWithEvent || wasEndedBy(db, held, outcome)
}

export interface EndOptions {
  publish?: PublishRunEnd | undefined
  /** The bytes of a small result that the statement stores, if it completes the run. */
  unstored?: Buffer | undefined
}

async function endAndPublish(
  tx: Tx,
  held: HeldRun,
  outcome: RunOutcome,
  { publish, unstored }: EndOptions & { publish: PublishRunEnd },
): Promise<boolean> {
  const ended = await writeEnd(tx, held, outcome, { unless: undefined, unstored })
  if (ended) await publish(tx, ended, outcome)
  return ended !== undefined
}

const isWanted = ({ status }: RunOutcome) => isEventWanted(sql`runs.organization_id`, `query.run.${status}`)

/** `unless`: a condition under which the run is left alone. */
interface EndCondition {
  unless: RawBuilder<boolean> | undefined
  unstored?: Buffer | undefined
}

const writeEnd = (db: Db | Tx, held: HeldRun, outcome: RunOutcome, condition: EndCondition): Promise<EndedRun | undefined> =>
  outcome.status === 'completed' ? completeRun(db, held, outcome, condition) : failRun(db, held, outcome, condition)

async function completeRun(
  db: Db | Tx,
  held: HeldRun,
  outcome: Extract<RunOutcome, { status: 'completed' }>,
  { unless, unstored }: EndCondition,
): Promise<EndedRun | undefined> {
  const { rows } = await sql<EndedRun>`${prepared} ${wakes('run_ends', 'runs', 'archive_jobs')}
    with ended as (
      update runs
      set status = 'completed', completed_at = ${storeNow}, ended_xid = pg_current_xact_id(), lease_expires_at = null,
        row_count = ${outcome.rowCount}, rows_read = ${outcome.statistics.rowsRead}, rows_written = ${outcome.statistics.rowsWritten},
        bytes_read = ${outcome.statistics.bytesRead ?? null}::bigint,
        result_size_bytes = ${outcome.sizeBytes}, result_hash = ${outcome.hash}
      where id = ${held.id} and status = 'running' and lease_owner = ${held.workerId} and lease_number = ${held.leaseNumber}
        ${unless ? sql`and not ${unless}` : sql``}
      returning id, organization_id, query_id, trigger_id, row_bindings),
    ${unstored ? stored(db, held.id, unstored) : sql``}
    kept as (
      insert into archive_jobs (run_id, organization_id, requested_at, next_attempt_at)
      select id, organization_id, ${storeNow}, ${storeNow} from ended
      where ended.row_bindings is null and exists (
        select from query_references as reference
        where reference.query_id = ended.query_id and not reference.is_optimistic and reference.deleted_at is null)
      on conflict do nothing),
    -- The lock of a feed is held until the end is committed, so the queue has the order in which runs ended.
    fed as (
      update change_feeds as feed set next_position = feed.next_position + 1
      from ended join query_references as reference on reference.query_id = ended.query_id and not reference.is_optimistic
        and reference.deleted_at is null
      where feed.reference_id = reference.id and feed.is_publishing and ended.row_bindings is null
      returning feed.reference_id, feed.next_position - 1 as position, feed.organization_id, ended.id as run_id, reference.parameters),
    queued as (
      insert into change_feed_results (reference_id, position, organization_id, run_id, parameters)
      select reference_id, position, organization_id, run_id, parameters from fed),
    ${notified()}
    select id, organization_id as "organizationId", query_id as "queryId" from ended`.execute(db)
  return rows[0]
}

/** The result of the run in `ended`, as `insertWhole` of the ledger stores it. */
const stored = (db: Db | Tx, runId: string, bytes: Buffer) => sql`
    whole as (
      insert into results (run_id, place, size_bytes, written_at, held_until)
      select id, 'postgres', ${bytes.length}, ${storeNow}, ${storeNow} from ended),
    pieces as (
      insert into result_pieces (run_id, number, bytes)
      select piece.* from ended cross join (values ${pieceRows(db, { id: runId, offset: 0, bytes })}) as piece (run_id, number, bytes)),`

/** The automations that watch a run in `ended`. */
const notified = (only: RawBuilder<unknown> = sql``) => sql`
    notified as (
      update automations
      set unjudged_run_id = ended.id
      from ended join query_references as reference on reference.query_id = ended.query_id and reference.deleted_at is null
      where automations.watched_reference_id = reference.id and automations.enabled and automations.deleted_at is null ${only}
        and ended.trigger_id not like 'fill\\_%' and ended.row_bindings is null
        and not exists (
          select from agent_runs
          where agent_runs.id = ended.trigger_id
            and (agent_runs.automation_id = automations.id or agent_runs.trigger = 'condition')))`

/** Only alerts have a state for a query that fails. A run that a person stopped says nothing about the query. */
const notifiedOfFailure = notified(sql`and automations.condition ->> 'kind' = 'alert' and ended.stop_requested_by is null`)

async function failRun(
  db: Db | Tx,
  held: HeldRun,
  outcome: Extract<RunOutcome, { status: 'failed' }>,
  { unless }: EndCondition,
): Promise<EndedRun | undefined> {
  // A run that failed for another reason before a requested stop took effect was not stopped.
  const { rows } = await sql<EndedRun>`${prepared} ${wakes('run_ends', 'runs')}
    with ended as (
      update runs
      set status = 'failed', completed_at = ${storeNow}, ended_xid = pg_current_xact_id(), lease_expires_at = null,
        failure_reason = ${outcome.reason}, error_line = ${outcome.errorPosition?.line ?? null}::integer,
        error_column = ${outcome.errorPosition?.column ?? null}::integer, stop_requested_by = ${outcome.stoppedBy ?? null}
      where id = ${held.id} and status = 'running' and lease_owner = ${held.workerId} and lease_number = ${held.leaseNumber}
        ${unless ? sql`and not ${unless}` : sql``}
      returning id, organization_id, query_id, trigger_id, stop_requested_by, row_bindings),
    ${notifiedOfFailure}
    select id, organization_id as "organizationId", query_id as "queryId" from ended`.execute(db)
  return rows[0]
}

const endedColumns = ['id', 'organization_id as organizationId', 'query_id as queryId'] as const

async function wasEndedBy(db: Db | Tx, held: HeldRun, outcome: RunOutcome): Promise<boolean> {
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
 * later writes of that worker are rejected. Returns their ids. Runs whose event is wanted follow one by one, each in a transaction.
 */
export async function failAbandonedRuns(db: Db, options: { reason: string }, publish?: PublishRunEnd): Promise<string[]> {
  const outcome = { status: 'failed', reason: options.reason } as const
  const wanted = publish ? isWanted(outcome) : sql<boolean>`false`
  const { rows } = await sql<{ id: string; isWanted: boolean }>`${wakes('run_ends', 'runs')}
    with abandoned as materialized (
      select id, ${wanted} as "isWanted" from runs where ${isAbandoned} for no key update),
    ended as (
      update runs set ${abandonedColumns(options)}
      from abandoned where abandoned.id = runs.id and not abandoned."isWanted"
      returning runs.id, runs.query_id, runs.trigger_id, runs.stop_requested_by, runs.row_bindings),
    ${notifiedOfFailure}
    select * from abandoned`.execute(db)
  const failed = rows.filter((row) => !row.isWanted).map(({ id }) => id)
  for (const { id, isWanted: hasEvent } of rows) {
    if (hasEvent && (await inTransaction(db, (tx) => failAbandonedRun(tx, id, outcome, publish!)))) failed.push(id)
  }
  return failed
}

async function failAbandonedRun(
  tx: Tx,
  runId: string,
  outcome: Extract<RunOutcome, { status: 'failed' }>,
  publish: PublishRunEnd,
): Promise<boolean> {
  const { rows } = await sql<EndedRun>`${wakes('run_ends', 'runs')}
    with ended as (
      update runs set ${abandonedColumns(outcome)}
      where id = ${runId} and ${isAbandoned}
      returning id, organization_id, query_id, trigger_id, stop_requested_by, row_bindings),
    ${notifiedOfFailure}
    select id, organization_id as "organizationId", query_id as "queryId" from ended`.execute(tx)
  const [ended] = rows
  if (ended) await publish(tx, ended, outcome)
  return ended !== undefined
}

const isAbandoned = sql`status = 'running' and lease_expires_at <= ${storeNow}`

const abandonedColumns = ({ reason }: { reason: string }) => sql`
  status = 'failed', completed_at = ${storeNow}, ended_xid = pg_current_xact_id(), failure_reason = ${reason},
  stop_requested_by = null, lease_number = lease_number + 1, lease_expires_at = null`

/** Fails a pending run so that it never starts. Undefined if it is no longer pending. */
export async function failPendingRun(
  db: Db | Tx,
  options: { runId: string; reason: string; stoppedBy?: string; now: Date },
): Promise<EndedRun | undefined> {
  return db
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
    .returning(endedColumns)
    .modifyEnd(wakes('run_ends', 'runs'))
    .executeTakeFirst()
}
