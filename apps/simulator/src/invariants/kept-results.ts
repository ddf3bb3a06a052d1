import { archiveAttemptsMax } from '@querypost/server/background-work'
import type { WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

type JobChange = Extract<WorkChange, { table: 'archiveJobs' }>

/**
 * Kept results. The commit that completes a run also requests that its result is kept. Every request ends: with a kept result whose bytes
 * are in the archive, committed together with the end of the request, or as failed after all its attempts. Nothing is claimed before it is
 * due, and nothing is written after the end.
 */
export function keptResults(observed: Observed): Judge {
  const work = observed.work!

  function judgeJob({ before, after }: JobChange, cause: Cause, changes: WorkChange[]): string | undefined {
    const who = `the result of ${after.id}`
    if (!before || cause.by !== 'worker') return undefined
    if (before.state !== 'due') return `${who} was ${before.state} and was written again`
    if (after.leaseNumber > before.leaseNumber) {
      const earlyMs = before.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
      return earlyMs > 0 ? `${who} was claimed ${earlyMs} ms before it was due` : undefined
    }
    if (after.state === 'failed' && after.attemptCount < archiveAttemptsMax) return `${who} was given up after ${after.attemptCount} attempts`
    if (after.state !== 'archived') return undefined
    const kept = changes.find((change) => change.table === 'keptResults' && change.after.id === after.id)
    return kept ? undefined : `${who} counts as kept, but it is not`
  }

  return {
    invariant: 'kept results',
    committed({ work: changes, cause }) {
      return firstOf(changes, (change) => {
        if (change.table === 'archiveJobs') return judgeJob(change, cause, changes)
        if (change.table === 'keptResults') {
          const { id, objectId } = change.after
          return work.archive.get(objectId) === id ? undefined : `the result of ${id} is kept, but its bytes are not in the archive`
        }
        const isCompleted = change.table === 'runs' && change.before?.status === 'running' && change.after.status === 'completed'
        if (!isCompleted || !work.tables.areResultsKept) return undefined
        const isRequested = changes.some((other) => other.table === 'archiveJobs' && other.after.id === change.after.id)
        return isRequested ? undefined : `run ${change.after.id} completed, and nobody keeps its result`
      })
    },
    ended: () =>
      firstOf([...work.tables.archiveJobs.values()], ({ id, state }) =>
        state === 'due' ? `the result of ${id} is still to be kept at the end` : undefined,
      ),
  }
}
