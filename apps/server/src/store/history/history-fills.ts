import { sql } from 'kysely'
import type { ClaimedFill, FillDecision, HistoryFill } from '../../model/history-fill.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wakes } from '../wakeups.ts'
import { claimDueJobs, renewDueJobs } from './due-jobs.ts'

interface FillKey {
  organizationId: string
  referenceId: string
}

/** The store operations of the worker that fills histories. Implemented in SQL, and in memory by the simulator. */
export interface HistoryFillStore {
  claim(options: { leaseMs: number; count: number }): Promise<ClaimedFill[]>
  /** Returns the ids of the fills that this worker still holds. */
  renew(options: { leaseMs: number; items: { id: string; leaseNumber: number }[] }): Promise<ReadonlySet<string>>
  /** Notes the result of a day and moves on to the next one, in the same transaction. False if the lease is lost. Idempotent. */
  record(fill: ClaimedFill, decision: FillDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlHistoryFillStore = ({ db }: { db: Db }): HistoryFillStore => ({
  claim: (options) => claimFills(db, options),
  // Recording a day leaves the fill due, for the next one.
  renew: (options) => renewDueJobs(db, fillsTable, options, sql`job.recorded_lease_number < held.lease_number`),
  record: (fill, decision, options) => db.transaction().execute((tx) => recordFill(tx, fill, decision, options)),
})

/** False if the reference has an unfinished fill. */
export async function insertFill(
  tx: Tx,
  fill: FillKey & { id: string; parameter: string; days: string[]; requestedBy: string; now: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`${wakes('history_fills')}
    insert into history_fills (id, organization_id, reference_id, parameter, days, requested_by, requested_at, next_attempt_at)
    values (${fill.id}, ${fill.organizationId}, ${fill.referenceId}, ${fill.parameter}, ${fill.days}::text[], ${fill.requestedBy}, ${fill.now}, ${storeNow})
    on conflict (reference_id) where state = 'due' do nothing`.execute(tx)
  return numAffectedRows === 1n
}

export async function findLatestFill(db: Db | Tx, key: FillKey): Promise<HistoryFill | undefined> {
  const { rows } = await sql<HistoryFill>`
    select id, parameter, state, cardinality(days) as "dayCount", done_count as "doneCount", failed_count as "failedCount", reason
    from history_fills where reference_id = ${key.referenceId} and organization_id = ${key.organizationId}
    order by requested_at desc, id desc limit 1`.execute(db)
  return rows[0]
}

/** The day in progress is not recorded any more. */
export async function stopFillOf(db: Db | Tx, key: FillKey): Promise<void> {
  await sql`
    update history_fills set state = 'stopped', next_attempt_at = null
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} and state = 'due'`.execute(db)
}

/** Days from a time on that a result stands for. */
export async function readFilledDays(db: Db, key: FillKey & { from: Date }): Promise<Set<string>> {
  const { rows } = await sql<{ at: Date }>`
    select stands_for as at from filled_results
    where reference_id = ${key.referenceId} and organization_id = ${key.organizationId} and stands_for >= ${key.from}`.execute(db)
  return new Set(rows.map(({ at }) => at.toISOString().slice(0, 10)))
}

/** Results of filled days that are not kept yet, and will be. */
export async function countFilledToKeep(db: Db, key: FillKey): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count
    from filled_results as filled join archive_jobs as job on job.run_id = filled.run_id
    where filled.reference_id = ${key.referenceId} and filled.organization_id = ${key.organizationId} and job.state = 'due'`.execute(db)
  return rows[0]!.count
}

const fillsTable = { name: 'history_fills', id: 'id' } as const

async function claimFills(db: Db, options: { leaseMs: number; count: number }): Promise<ClaimedFill[]> {
  const { rows } = await sql<ClaimedFill>`${claimDueJobs(fillsTable, options)}
    select fill.id, fill.lease_number as "leaseNumber", fill.attempt_count as "attemptNumber", fill.organization_id as "organizationId",
      fill.reference_id as "referenceId", reference.short_id as "shortId", fill.parameter, fill.days[fill.done_count + 1] as day,
      fill.requested_by as "requestedBy", fill.requested_at as "requestedAt"
    from claimed as fill join query_references as reference on reference.id = fill.reference_id`.execute(db)
  return rows
}

async function recordFill(tx: Tx, fill: ClaimedFill, decision: FillDecision, { endedAgoMs }: { endedAgoMs: number }): Promise<boolean> {
  const { id, leaseNumber } = fill
  const { numAffectedRows } = await sql`${wakes('history_fills')}
    update history_fills as fill
    set recorded_lease_number = ${leaseNumber}, ${columnsOf(fill, decision, endedAgoMs)}
    where id = ${id} and state = 'due' and lease_number = ${leaseNumber} and recorded_lease_number < ${leaseNumber}`.execute(tx)
  if (numAffectedRows === 0n) return wasRecorded(tx, fill)
  if (decision.state !== 'filled') return true
  await sql`
    insert into filled_results (reference_id, stands_for, organization_id, run_id)
    values (${fill.referenceId}, ${new Date(`${fill.day}T00:00:00Z`)}, ${fill.organizationId}, ${decision.runId})
    on conflict (reference_id, stands_for) do update set run_id = excluded.run_id`.execute(tx)
  return true
}

function columnsOf({ attemptNumber }: ClaimedFill, decision: FillDecision, endedAgoMs: number) {
  switch (decision.state) {
    case 'filled':
    case 'missed': {
      const isLast = sql`done_count + 1 = cardinality(days)`
      const isMissed = decision.state === 'missed'
      return sql`done_count = done_count + 1, failed_count = failed_count + ${isMissed ? 1 : 0}, attempt_count = 0,
        reason = ${isMissed ? decision.reason : sql`reason`},
        state = case when ${isLast} then 'completed' else 'due' end, next_attempt_at = case when ${isLast} then null else ${storeNow} end`
    }
    case 'due':
      return sql`next_attempt_at = ${storeNowPlus(decision.waitMs - endedAgoMs)}, reason = ${decision.reason}`
    case 'given_back':
      return sql`next_attempt_at = ${storeNow}, attempt_count = ${attemptNumber - 1}`
    case 'failed':
      return sql`state = 'failed', next_attempt_at = null, reason = ${decision.reason}`
  }
}

/** Whether an outcome has been recorded under this lease before, and the response was lost. */
async function wasRecorded(tx: Tx, { id, leaseNumber }: ClaimedFill): Promise<boolean> {
  const { rows } = await sql`
    select id from history_fills where id = ${id} and lease_number = ${leaseNumber} and recorded_lease_number = ${leaseNumber}`.execute(tx)
  return rows.length === 1
}
