import { newId, type RunStore } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import type { ClaimedRun, ClaimOptions } from '@querypost/server/store'
import { queueFeedResult } from './feed-queue.ts'
import { notifyAlerts } from './memory-alerts.ts'
import { hasItsInputs, replaceInputs, settleInputs } from './memory-run-inputs.ts'
import type { MemoryRun, MemoryWork, WorkRules } from './memory-work.ts'

export interface MemoryRunStore extends RunStore {
  /** Claims a run in a transaction that is still open. */
  beginClaim(options: BeginOptions): OpenClaim | undefined
}

interface BeginOptions extends ClaimOptions {
  /** When the connection is lost, the transaction is rolled back. */
  isConnected?(): boolean
}

interface OpenClaim {
  run: ClaimedRun
  commit(): void
  /** Has no effect after a commit. */
  rollBack(): void
}

/** The store of query runs in memory: loops in place of the SQL store's statements. */
export function makeMemoryRunStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): MemoryRunStore {
  const running = () => [...work.unfinishedRuns].filter(({ status }) => status === 'running')

  function held(lease: { id: string; leaseNumber: number; workerId: string }): MemoryRun | undefined {
    const run = work.runs.get(lease.id)
    return run && rules.isHeld(run, lease, 'runs') ? run : undefined
  }

  function settle(run: MemoryRun): void {
    if (run.status === 'completed' || rules.areFailedInputsNoted) settleInputs(work, run)
  }

  /** The runs whose claims are not committed yet. Other claims skip them. */
  const locks = new Map<string, { isConnected(): boolean }>()
  const isLocked = ({ id }: MemoryRun) => locks.get(id)?.isConnected() === true

  function beginClaim({ isConnected = () => true, ...options }: BeginOptions): OpenClaim | undefined {
    const { fullDatabaseConfigIds, runCountsByOrganization = new Map<string, number>(), onlyNewOrganizations = false } = options
    const inHand = ({ organizationId }: MemoryRun) => runCountsByOrganization.get(organizationId) ?? 0
    const pending = [...work.unfinishedRuns].filter(({ status }) => status === 'pending')
    const [run] = pending
      .filter((each) => !fullDatabaseConfigIds.includes(each.databaseId) && !isLocked(each))
      .filter((each) => !onlyNewOrganizations || inHand(each) === 0)
      .filter((each) => hasItsInputs(work, rules, each))
      .sort((a, b) => inHand(a) - inHand(b) || byTime(a, b))
    if (!run) return undefined
    const lock = { isConnected }
    locks.set(run.id, lock)
    const { leaseNumber } = run
    const leaseExpiresAt = after(work.now, options.leaseMs)
    const release = () => {
      const wasHeld = locks.get(run.id) === lock
      if (wasHeld) locks.delete(run.id)
      return wasHeld
    }
    return {
      run: { ...claimed(run), leaseNumber: leaseNumber + 1, isMorePending: pending.length > 1 },
      commit() {
        // In PostgreSQL, a stop of the run would wait for the claim. Here it wins.
        if (!release() || run.status !== 'pending') throw new Error('the transaction was rolled back')
        if (!rules.areInputsPinned) replaceInputs(work, run)
        work.write('runs', run, { status: 'running', leaseNumber: leaseNumber + 1, leaseOwner: options.workerId, leaseExpiresAt })
      },
      rollBack: release,
    }
  }

  return {
    async claim(options) {
      const claim = beginClaim(options)
      claim?.commit()
      return claim?.run
    },
    beginClaim,
    async renew({ workerId, leases, leaseMs }) {
      const runs = leases.flatMap((lease) => held({ ...lease, workerId }) ?? [])
      for (const run of rules.renewed(runs)) work.write('runs', run, { leaseExpiresAt: after(work.now, leaseMs) })
      return new Set(runs.map(({ id }) => id))
    },
    async readStops({ workerId, leases }) {
      const runs = leases.flatMap((lease) => held({ ...lease, workerId }) ?? [])
      return runs.flatMap(({ id, stopRequestedBy: userId }) => (userId === null ? [] : [{ id, userId, by: userId }]))
    },
    async recordProgress({ workerId, runs }) {
      for (const { progress, ...lease } of runs) {
        const run = held({ ...lease, workerId })
        if (run) work.write('runs', run, { rowCountSoFar: progress.rowCountSoFar ?? null })
      }
    },
    async end(lease, outcome) {
      const run = held(lease)
      if (!run) {
        const ended = work.runs.get(lease.id)
        const isSame =
          ended?.status === outcome.status && ended.leaseOwner === lease.workerId && ended.leaseNumber === lease.leaseNumber
        return rules.isEndSaidAgain && isSame
      }
      const end =
        outcome.status === 'completed'
          ? { status: outcome.status, resultHash: outcome.hash }
          : { status: outcome.status, failureReason: outcome.reason }
      work.write('runs', run, { ...end, leaseExpiresAt: null })
      settle(run)
      const isKept = outcome.status === 'completed' && work.areResultsKept && rules.isArchivingRequestedWithRun
      const { id, organizationId } = run
      if (isKept) work.insert('archiveJobs', { id, organizationId, state: 'due', nextAttemptAt: work.now, attemptCount: 0, leaseNumber: 0 })
      if (isKept && work.areChangesPublished && rules.isFeedQueuedWithRun) queueFeedResult(work, run)
      // A run that a person stopped says nothing about the query.
      if (outcome.status === 'completed' || outcome.stoppedBy === undefined) notifyAlerts(work, rules, run)
      return true
    },
    async failAbandoned({ reason }) {
      if (!rules.areAbandonedRecovered) return []
      const abandoned = running().filter(({ leaseExpiresAt }) => leaseExpiresAt! <= rules.nowOf(work, 'runs'))
      for (const run of abandoned) {
        const { leaseNumber } = run
        work.write('runs', run, { status: 'failed', failureReason: reason, leaseNumber: leaseNumber + 1, leaseExpiresAt: null })
        settle(run)
        if (run.stopRequestedBy === null) notifyAlerts(work, rules, run)
      }
      return abandoned.map(({ id }) => id)
    },
  }
}

/** Adds a pending run, unless the query has one that is pending or running. */
export function insertRun(
  work: MemoryWork,
  random: Random,
  { organizationId, queryId, databaseId, triggerId }: Pick<MemoryRun, 'organizationId' | 'queryId' | 'databaseId' | 'triggerId'>,
): MemoryRun | undefined {
  for (const unfinished of work.unfinishedRuns) if (unfinished.queryId === queryId) return undefined
  const row: MemoryRun = {
    id: newId(random, 'run'),
    organizationId,
    queryId,
    databaseId,
    triggerId,
    status: 'pending',
    runAt: work.now,
    stopRequestedBy: null,
    failureReason: null,
    resultHash: null,
    rowCountSoFar: null,
    ...unleased,
  }
  work.insert('runs', row)
  return row
}

/** Fails a pending run at once, and asks the worker of a running one to stop it. */
export function stopRun(work: MemoryWork, runId: string, userId: string): void {
  const run = work.runs.get(runId)
  if (run?.status === 'pending') {
    work.write('runs', run, { status: 'failed', failureReason: `Stopped by ${userId} before it started.` })
    settleInputs(work, run)
  }
  if (run?.status === 'running') work.write('runs', run, { stopRequestedBy: userId })
}

export const unleased = { leaseNumber: 0, leaseOwner: null, leaseExpiresAt: null }
export const after = (now: Date, ms: number) => new Date(now.getTime() + ms)

const byTime = (a: MemoryRun, b: MemoryRun) => a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1)

function claimed({ id, leaseNumber, organizationId, queryId, databaseId }: MemoryRun): Omit<ClaimedRun, 'isMorePending'> {
  const database = { id: databaseId, organizationId, engine: 'duckdb' as const, settings: { file: 'db' }, revision: 1 }
  return { id, leaseNumber, organizationId, queryId, database, isDatabaseDeleted: false, renderedSql: id }
}
