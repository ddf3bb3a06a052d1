import { abandonedReason } from '@querypost/server/background-work'
import type { WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'
import { endsByMs, isAbandonedTooSoon, isGivenUpWithoutReason, isStopOverdue, isHolderHealthy, makeLeaseWatch } from './health.ts'

type RunChange = Extract<WorkChange, { table: 'runs' }>

/**
 * Query runs. Every run that was requested ends, once; a query has one unfinished run at a time. Only the worker that holds it writes.
 * A completed run's result exists, is complete and stays. A statement does not continue after its lease. A run with a healthy
 * worker is never failed as abandoned, whatever the clocks of other machines say, and not after an outage of the store either.
 */
export function runs(observed: Observed): Judge {
  const work = observed.work!
  const watchLease = makeLeaseWatch(observed, 'statement')

  function judgeChange({ before, after }: RunChange, cause: Cause): string | undefined {
    const { id } = after
    if (!before) {
      const others = [...work.tables.unfinishedRuns].filter(({ queryId }) => queryId === after.queryId)
      return others.length > 1 ? `query ${after.queryId} has ${others.length} unfinished runs` : undefined
    }
    if (before.status === 'completed' || before.status === 'failed') return `run ${id} was ${before.status} and was written again`
    if (before.status === 'running' && after.status === 'pending') return `run ${id} is pending again`
    if (cause.by !== 'worker') return undefined
    const who = `${cause.machine.id} ${cause.call}: run ${id}`
    const { holder } = work.runs.get(id)!
    if (cause.call === 'runs.commit') {
      if (before.status !== 'pending') return `${who} was ${before.status}`
      return after.leaseNumber === before.leaseNumber + 1 ? undefined : `${who} got lease ${after.leaseNumber}`
    }
    if (cause.call === 'runs.failAbandoned') return judgeAbandoned(before, cause, who)
    if (before.status === 'pending') return after.status === 'failed' ? undefined : `${who} is ${after.status} without a claim`
    // An agent stops the runs that it has started, on any worker.
    if (cause.call === 'runs.request') return undefined
    if (holder?.machine !== cause.machine) return `${who} is held by ${holder?.machine.id ?? 'no worker'}`
    if (after.status === 'completed') return judgeResult(id, after.resultHash)
    const isGivenUp = after.status === 'failed' && after.failureReason === abandonedReason
    if (isGivenUp && isGivenUpWithoutReason(observed, holder)) {
      return `${who} was given up by its own worker, which is healthy and reached the store`
    }
    return undefined
  }

  function judgeAbandoned(
    { id, leaseExpiresAt }: NonNullable<RunChange['before']>,
    { machine }: Extract<Cause, { by: 'worker' }>,
    who: string,
  ): string | undefined {
    const leftMs = leaseExpiresAt!.getTime() - worldBeganAt - observed.nowMs()
    if (leftMs > 0) return `${who} had a lease for ${leftMs} ms more`
    const { holder } = work.runs.get(id)!
    const leaseExpiredMs = leaseExpiresAt!.getTime() - worldBeganAt
    if (isAbandonedTooSoon(observed, holder, { by: machine, leaseExpiredMs })) {
      return `${who} was failed as abandoned when the store was back, and ${holder!.machine.id} had no time to renew`
    }
    return isHolderHealthy(holder) ? `${who} was failed as abandoned, but ${holder!.machine.id} is healthy and working on it` : undefined
  }

  function judgeResult(runId: string, hash: string | null): string | undefined {
    const result = work.results.get(runId)
    if (!result) return `run ${runId} is completed and its result is missing`
    if (result.hash !== hash) return `run ${runId} is completed with ${hash} and its result is ${result.hash}`
    const { rowCount, rowTotal } = result
    return rowCount === rowTotal ? undefined : `the result of run ${runId} has ${rowCount} of ${rowTotal} rows`
  }

  return {
    invariant: 'runs',
    committed: ({ work: changes, cause }) =>
      firstOf(changes, (change) => (change.table === 'runs' ? judgeChange(change, cause) : undefined)),
    stepped: () =>
      firstOf(work.statements, (statement) => watchLease(statement, work.runs.get(statement.id))) ??
      firstOf(work.tables.unfinishedRuns, ({ id }) =>
        isStopOverdue(observed, work.runs.get(id)!) ? `run ${id} continues after a stop was requested` : undefined,
      ),
    ended: () =>
      firstOf(work.tables.runs.values(), ({ id, status, resultHash }) => {
        const item = work.runs.get(id)!
        if (item.endedMs === undefined) return `run ${id} is ${status} at the end`
        if (item.endedMs > endsByMs(observed, item)) return `run ${id} ended ${item.endedMs - item.requestedMs} ms after its request`
        return status === 'completed' ? judgeResult(id, resultHash) : undefined
      }),
  }
}
