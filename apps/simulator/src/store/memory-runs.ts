import { newId, type RunStore } from '@querypost/server/background-work'
import type { Random } from '@querypost/server/ports'
import type { ClaimedRun } from '@querypost/server/store'
import { queueFeedResult } from './feed-queue.ts'
import { notifyAlerts } from './memory-alerts.ts'
import { hasItsInputs, replaceInputs, settleInputs } from './memory-run-inputs.ts'
import type { MemoryRun, MemoryWork, WorkRules } from './memory-work.ts'

/** The store of query runs in memory: loops in place of the SQL store's statements. */
export function makeMemoryRunStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): RunStore {
  const running = () => [...work.unfinishedRuns].filter(({ status }) => status === 'running')

  function held(lease: { id: string; leaseNumber: number; workerId: string }): MemoryRun | undefined {
    const run = work.runs.get(lease.id)
    return run && rules.isHeld(run, lease, 'runs') ? run : undefined
  }

  function settle(run: MemoryRun): void {
    if (run.status === 'completed' || rules.areFailedInputsNoted) settleInputs(work, run)
  }

  return {
    async claim(options) {
      const { fullDatabaseConfigIds, runCountsByOrganization = new Map<string, number>(), onlyNewOrganizations = false } = options
      const inHand = ({ organizationId }: MemoryRun) => runCountsByOrganization.get(organizationId) ?? 0
      const [run] = [...work.unfinishedRuns]
        .filter(({ status, databaseId }) => status === 'pending' && !fullDatabaseConfigIds.includes(databaseId))
        .filter((each) => !onlyNewOrganizations || inHand(each) === 0)
        .filter((each) => hasItsInputs(work, rules, each))
        .sort((a, b) => inHand(a) - inHand(b) || byTime(a, b))
      if (!run) return undefined
      if (!rules.areInputsPinned) replaceInputs(work, run)
      work.write('runs', run, {
        status: 'running',
        leaseNumber: run.leaseNumber + 1,
        leaseOwner: options.workerId,
        leaseExpiresAt: after(work.now, options.leaseMs),
      })
      return claimed(run)
    },
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

function claimed({ id, leaseNumber, organizationId, queryId, databaseId }: MemoryRun): ClaimedRun {
  const database = { id: databaseId, organizationId, engine: 'duckdb' as const, settings: { file: 'db' }, revision: 1 }
  return { id, leaseNumber, organizationId, queryId, database, isDatabaseDeleted: false, renderedSql: id }
}
