import type { HistoryFillStore } from '@querypost/server/background-work'
import { after } from './memory-runs.ts'
import type { MemoryFill, MemoryWork, WorkRules } from './memory-work.ts'

/** The queue of past days to be filled, in memory. */
export function makeMemoryFillStore({ work, rules }: { work: MemoryWork; rules: WorkRules }): HistoryFillStore {
  return {
    async claim({ leaseMs, count }) {
      const now = rules.nowOf(work, 'history fills')
      return [...work.fills.values()]
        .filter(({ state, nextAttemptAt }) => state === 'due' && nextAttemptAt! <= now)
        .sort((a, b) => a.nextAttemptAt!.getTime() - b.nextAttemptAt!.getTime() || (a.id < b.id ? -1 : 1))
        .slice(0, count)
        .map((fill) => {
          work.write('fills', fill, {
            attemptCount: fill.attemptCount + 1,
            leaseNumber: fill.leaseNumber + 1,
            nextAttemptAt: after(work.now, leaseMs),
          })
          return claimed(fill)
        })
    },
    async renew({ leaseMs, items }) {
      const held = items.flatMap(({ id, leaseNumber }) => {
        const fill = work.fills.get(id)!
        return fill.state === 'due' && fill.leaseNumber === leaseNumber && fill.recordedLease < leaseNumber ? [fill] : []
      })
      for (const fill of held) work.write('fills', fill, { nextAttemptAt: after(work.now, leaseMs) })
      return new Set(held.map(({ id }) => id))
    },
    async record({ id, leaseNumber, attemptNumber, day }, decision, { endedAgoMs }) {
      const fill = work.fills.get(id)!
      const isHeld = fill.leaseNumber === leaseNumber && fill.recordedLease < leaseNumber
      const wasRecorded = fill.leaseNumber === leaseNumber && fill.recordedLease === leaseNumber
      if (rules.isFillFenced && !isHeld) return wasRecorded
      if (rules.isFillStopHonored && fill.state !== 'due') return wasRecorded
      const recorded = { recordedLease: leaseNumber }
      if (decision.state === 'filled' || decision.state === 'missed') {
        work.write('fills', fill, { ...recorded, ...nextDay(fill, work.now), failedCount: fill.failedCount + (decision.state === 'missed' ? 1 : 0) })
        if (decision.state === 'filled') noteFilled(work, fill, { day, runId: decision.runId })
      } else if (decision.state === 'due') work.write('fills', fill, { ...recorded, nextAttemptAt: after(work.now, decision.waitMs - Math.round(endedAgoMs)) })
      else if (decision.state === 'given_back') work.write('fills', fill, { ...recorded, nextAttemptAt: work.now, attemptCount: attemptNumber - 1 })
      else work.write('fills', fill, { ...recorded, state: 'failed', nextAttemptAt: null })
      return true
    },
  }
}

function nextDay({ doneCount, days, state }: MemoryFill, now: Date): Partial<MemoryFill> {
  const isLast = doneCount + 1 === days.length
  return { doneCount: doneCount + 1, attemptCount: 0, state: isLast ? 'completed' : state, nextAttemptAt: isLast ? null : now }
}

function noteFilled(work: MemoryWork, { id: fillId, referenceId }: MemoryFill, { day, runId }: { day: string; runId: string }): void {
  const id = `${referenceId} ${day}`
  const before = work.filledDays.get(id)
  if (before) work.write('filledDays', before, { fillId, runId })
  else work.insert('filledDays', { id, fillId, day, runId })
}

const claimed = ({ id, organizationId, referenceId, days, doneCount, leaseNumber, attemptCount }: MemoryFill) => ({
  id,
  leaseNumber,
  attemptNumber: attemptCount,
  organizationId,
  referenceId,
  shortId: referenceId,
  parameter: 'day',
  day: days[doneCount]!,
  requestedBy: 'user_x',
  requestedAt: new Date(0),
})

/** False if the query is being filled, or has a result for each of the days. */
export function startFill(work: MemoryWork, { organizationId, referenceId, dayCount }: { organizationId: string; referenceId: string; dayCount: number }): boolean {
  if ([...work.fills.values()].some((fill) => fill.referenceId === referenceId && fill.state === 'due')) return false
  const days = Array.from({ length: dayCount }, (_, ago) => `day ${ago}`).filter((day) => !work.filledDays.has(`${referenceId} ${day}`))
  if (days.length === 0) return false
  const progress = { doneCount: 0, failedCount: 0, attemptCount: 0, leaseNumber: 0, recordedLease: 0 }
  work.insert('fills', { id: `fill_${work.fills.size}`, organizationId, referenceId, days, state: 'due', nextAttemptAt: work.now, ...progress })
  return true
}

/** False if nothing is being filled. */
export function stopFill(work: MemoryWork, referenceId: string): boolean {
  const fill = [...work.fills.values()].find((each) => each.referenceId === referenceId && each.state === 'due')
  if (fill) work.write('fills', fill, { state: 'stopped', nextAttemptAt: null })
  return fill !== undefined
}
