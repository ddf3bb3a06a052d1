import { fillAttemptsMax } from '@querypost/server/background-work'
import type { MemoryFill, WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Cause, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

type FillChange = Extract<WorkChange, { table: 'fills' }>
type DayChange = Extract<WorkChange, { table: 'filledDays' }>

/**
 * History fills. Each day of a fill is done once, in order: filled by a result of its query, in the commit that moves on to the next day, or
 * missed because the query failed or all attempts were used, after which the query doesn't run again. A fill that is not stopped does all
 * its days. Nothing is written after a stop or another end, and no day is claimed before it is due.
 */
export function historyFills(observed: Observed): Judge {
  const work = observed.work!
  const answersOf = (fillId: string, day: string) => work.fillAnswers.get(`${fillId} ${day}`) ?? new Set()

  function judgeFill({ before, after }: FillChange, cause: Cause, changes: WorkChange[]): string | undefined {
    if (!before || cause.by !== 'worker') return undefined
    if (before.state !== 'due') return `${after.id} was ${before.state} and was written again`
    if (after.leaseNumber > before.leaseNumber) {
      const earlyMs = before.nextAttemptAt!.getTime() - worldBeganAt - observed.nowMs()
      return earlyMs > 0 ? `${after.id} was claimed ${earlyMs} ms before it was due` : undefined
    }
    if (after.state === 'completed' && after.doneCount < after.days.length) return `${after.id} ended after ${after.doneCount} days`
    return after.doneCount === before.doneCount ? undefined : judgeStep(before, after, changes)
  }

  /** A day that is done. */
  function judgeStep(before: MemoryFill, after: MemoryFill, changes: WorkChange[]): string | undefined {
    const day = before.days[before.doneCount]
    if (day === undefined || after.doneCount > before.doneCount + 1) return `${after.id} did more days than it has`
    const isFilled = changes.some((change) => change.table === 'filledDays' && change.after.fillId === after.id && change.after.day === day)
    const isMissed = after.failedCount > before.failedCount
    if (isFilled === isMissed) return `${day} of ${after.id} was ${isFilled ? 'filled and missed' : 'passed over'}`
    if (isMissed && before.attemptCount <= fillAttemptsMax && !answersOf(after.id, day).has('missed')) {
      return `${day} of ${after.id} was missed after ${before.attemptCount} attempts`
    }
    return undefined
  }

  function judgeDay({ before, after }: DayChange, changes: WorkChange[]): string | undefined {
    const { id, fillId, day, runId } = after
    if (before) return `${id} was filled twice`
    if (!answersOf(fillId, day).has(runId)) return `${id} was filled, but its query had not run`
    const isStep = changes.some(
      (change) => change.table === 'fills' && change.after.id === fillId && change.before?.days[change.before.doneCount] === day,
    )
    return isStep ? undefined : `${id} was filled, and ${fillId} did not move on`
  }

  return {
    invariant: 'history fills',
    committed: ({ work: changes, cause }) =>
      firstOf(changes, (change) => {
        if (change.table === 'fills') return judgeFill(change, cause, changes)
        return change.table === 'filledDays' ? judgeDay(change, changes) : undefined
      }),
    ended: () =>
      firstOf([...work.fillAttempts], ([day, attempt]) => (attempt > fillAttemptsMax ? `${day} ran in attempt ${attempt}` : undefined)) ??
      firstOf([...work.tables.fills.values()], ({ id, state, doneCount, failedCount }) => {
        if (state === 'due') return `${id} is still to be done at the end`
        const filled = [...work.tables.filledDays.values()].filter(({ fillId }) => fillId === id).length
        return filled === doneCount - failedCount ? undefined : `${id} did ${doneCount} days, ${failedCount} failed, and ${filled} are filled`
      }),
  }
}
