import { sql } from 'kysely'
import type { ArchiveDecision, ClaimedArchiveJob } from '../../model/history.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { finishObject, lockChain } from './archive-objects.ts'
import { wakeFeedsOf } from './change-feeds-table.ts'
import { countSpace, findChains } from './count-space.ts'
import { claimDueJobs, renewDueJobs } from './due-jobs.ts'

/** The store operations of the worker that keeps results. Implemented in SQL, and in memory by the simulator. */
export interface ArchiveJobStore {
  claim(options: { leaseMs: number; count: number }): Promise<ClaimedArchiveJob[]>
  /** Returns the ids of the jobs that this worker still holds. */
  renew(options: { leaseMs: number; items: { id: string; leaseNumber: number }[] }): Promise<ReadonlySet<string>>
  /** Keeps the result for every reference to its query, in the same transaction. False if the lease is lost. Idempotent. */
  record(job: ClaimedArchiveJob, decision: ArchiveDecision, options: { endedAgoMs: number }): Promise<boolean>
}

export const makeSqlArchiveJobStore = ({ db }: { db: Db }): ArchiveJobStore => ({
  claim: (options) => claimArchiveJobs(db, options),
  renew: (options) => renewDueJobs(db, jobsTable, options),
  record: (job, decision, options) => db.transaction().execute((tx) => recordArchiveJob(tx, job, decision, options)),
})

const jobsTable = { name: 'archive_jobs', id: 'run_id' } as const

async function claimArchiveJobs(db: Db, options: { leaseMs: number; count: number }): Promise<ClaimedArchiveJob[]> {
  const { rows } = await sql<ClaimedArchiveJob>`${claimDueJobs(jobsTable, options)}
    select run_id as id, lease_number as "leaseNumber", attempt_count as "attemptNumber", organization_id as "organizationId"
    from claimed`.execute(db)
  return rows
}

async function recordArchiveJob(
  tx: Tx,
  job: ClaimedArchiveJob,
  decision: ArchiveDecision,
  { endedAgoMs }: { endedAgoMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('archive_jobs')
    .set(columnsOf(job, decision, endedAgoMs))
    .where('run_id', '=', job.id)
    .where('state', '=', 'due')
    .where('lease_number', '=', job.leaseNumber)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return wasRecorded(tx, job, decision)
  if (decision.state === 'skipped' || decision.state === 'failed') await wakeFeedsOf(tx, { runId: job.id, organizationId: job.organizationId })
  if (decision.state !== 'archived') return true
  const { objectId, storedBytes } = decision
  const isUsable = storedBytes === null ? await lockChain(tx, { objectId }) : await finishObject(tx, { objectId, storedBytes })
  // Swept in the meantime, because the worker took more than a day. The next attempt stores it again.
  if (!isUsable) {
    const again = columnsOf(job, { state: 'due', waitMs: 0, reason: 'The stored bytes were removed before they could be used.' }, 0)
    await tx.updateTable('archive_jobs').set({ ...again, state: 'due', ended_at: null }).where('run_id', '=', job.id).execute()
    return true
  }
  const references = await insertKeptResults(tx, { runId: job.id, objectId })
  await wakeFeedsOf(tx, { runId: job.id, organizationId: job.organizationId })
  await countSpace(tx, { chainIds: await findChains(tx, [objectId]), references })
  return true
}

/**
 * Keeps the result of a run for every reference that points to the run's query, and for those whose change feed waits for it: they may
 * point to another query by now. Returns these references.
 */
async function insertKeptResults(
  tx: Tx,
  { runId, objectId }: { runId: string; objectId: string },
): Promise<{ id: string; organizationId: string }[]> {
  const { rows } = await sql<{ id: string; organizationId: string }>`
    insert into archived_results (reference_id, run_id, organization_id, query_id, parameter_values, parameter_types, at, row_count,
      size_bytes, result_hash, object_id)
    select reference.id, run.id, run.organization_id, run.query_id, run.parameter_values, run.parameter_types, run.completed_at,
      run.row_count, run.result_size_bytes, run.result_hash, ${objectId}
    from runs as run
    join query_references as reference on reference.deleted_at is null and reference.id = any(array(
      select id from query_references where query_id = run.query_id and not is_optimistic and deleted_at is null
      union select reference_id from change_feed_results where run_id = run.id))
    where run.id = ${runId}
    for key share of reference
    on conflict (reference_id, run_id) do nothing
    returning reference_id as id, organization_id as "organizationId"`.execute(tx)
  return rows
}

/** Whether this outcome has been recorded before, and the response was lost. */
async function wasRecorded(tx: Tx, job: ClaimedArchiveJob, { state }: ArchiveDecision): Promise<boolean> {
  const row = await tx
    .selectFrom('archive_jobs')
    .select(['state', 'lease_number'])
    .where('run_id', '=', job.id)
    .executeTakeFirst()
  return row !== undefined && row.state !== 'due' && row.state === state && row.lease_number === job.leaseNumber
}

function columnsOf({ attemptNumber }: ClaimedArchiveJob, decision: ArchiveDecision, endedAgoMs: number) {
  switch (decision.state) {
    case 'due':
      return { next_attempt_at: storeNowPlus(decision.waitMs - endedAgoMs), reason: decision.reason }
    case 'given_back':
      return { next_attempt_at: storeNow, attempt_count: attemptNumber - 1 }
    case 'archived':
      return { state: decision.state, next_attempt_at: null, ended_at: storeNow, reason: null }
    case 'skipped':
    case 'failed':
      return { state: decision.state, next_attempt_at: null, ended_at: storeNow, reason: decision.reason }
  }
}
