import type { WorkChange } from '../store/memory-work.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { Commit, Judge, Observed } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

/** A worker polls every second. */
const claimedWithinMs = 30_000

/**
 * Schedules. Each due time becomes exactly one run: none is lost, none is doubled, none comes early by the store's time. Times that
 * passed before the run was requested are counted by it. The judge computes the due times itself: every so many minutes, in UTC.
 */
export function schedules(observed: Observed): Judge {
  const work = observed.work!
  const lastEndMs = new Map<string, number>()

  function judgeMove({ before, after }: Extract<WorkChange, { table: 'automations' }>, commit: Commit): string | undefined {
    const requested = commit.work.flatMap((each) =>
      each.table === 'agentRuns' && !each.before && each.after.automationId === after.id ? [each.after] : [],
    )
    const dueMs = before!.nextDueAt!.getTime() - worldBeganAt
    const what = `the time of ${after.id} that was due at ${before!.nextDueAt!.toISOString()}`
    if (requested.length !== 1) return `${what} was moved on and gave ${requested.length} runs`
    const nowMs = observed.nowMs()
    if (dueMs > nowMs) return `${what} was claimed ${dueMs - nowMs} ms early`
    const run = requested[0]!
    const everyMs = work.automations.get(after.id)!.everyMinutes * 60_000
    if (run.dueAt?.getTime() !== before!.nextDueAt!.getTime()) return `${what} gave a run for ${run.dueAt?.toISOString()}`
    const missed = Math.floor((nowMs - dueMs) / everyMs)
    if (run.missedCount !== missed) return `${what} stands for ${run.missedCount} more, not for ${missed}`
    const nextMs = after.nextDueAt!.getTime() - worldBeganAt
    if (nextMs !== dueMs + (missed + 1) * everyMs) return `after ${what} the next is ${after.nextDueAt!.toISOString()}`
    const readyMs = Math.max(dueMs, lastEndMs.get(after.id) ?? 0, observed.calmSinceMs())
    return nowMs - readyMs > claimedWithinMs ? `${what} was claimed ${nowMs - readyMs} ms late` : undefined
  }

  function judge(change: WorkChange, commit: Commit): string | undefined {
    if (change.table === 'agentRuns') {
      const { before, after } = change
      const isEnded = after.status === 'completed' || after.status === 'failed'
      if (isEnded && after.automationId !== null) lastEndMs.set(after.automationId, observed.nowMs())
      if (before || after.trigger !== 'schedule') return undefined
      const isMoved = commit.work.some((each) => each.table === 'automations' && each.after.id === after.automationId)
      return isMoved ? undefined : `a run of ${after.automationId} was requested, and its due time was not moved`
    }
    if (change.table !== 'automations' || !change.before || commit.cause.by !== 'worker') return undefined
    return judgeMove(change, commit)
  }

  return {
    invariant: 'schedules',
    committed: (commit) => firstOf(commit.work, (change) => judge(change, commit)),
    ended: () =>
      firstOf(work.tables.automations.values(), ({ id, nextDueAt }) =>
        nextDueAt ? `automation ${id} is still due at ${nextDueAt.toISOString()}` : undefined,
      ),
  }
}
