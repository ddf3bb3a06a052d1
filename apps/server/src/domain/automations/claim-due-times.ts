import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Random } from '../../ports/random.ts'
import { type DueAutomation, lockDueAutomations, writeNextDueAt } from '../../store/automations/due-times.ts'
import type { Db } from '../../store/db.ts'
import { requestAutomationRuns } from '../agent-runs/request-automation-run.ts'
import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'
import { missedBetween, nextDueAt } from './schedule.ts'

/**
 * Claiming due times. `next_due_at` is the first due time that has not been handled. The transaction that advances it also requests
 * the run, so a due time gives exactly one run, whatever process dies when.
 *
 * - Times that have passed since the first one are merged into the same run, which counts them and says that it is late.
 * - A time that comes due during a run waits until that run has ended.
 */
export interface ClaimDueDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
}

/** What claiming needs from a store. There are two: SQL, and the simulator's in-memory store. */
export interface DueTimes {
  /**
   * In one transaction: finds automations that are due, requests their runs and moves their due times on. `claimed` is filled before
   * anything is written, so that the caller knows which ones a failure concerns.
   */
  claimBatch(options: { count: number; exceptIds: string[]; claimed: DueAutomation[]; findNextTimes: FindNextTimes }): Promise<void>
}

/** How many times were missed besides the due one, and when the next one is. */
export type FindNextTimes = (due: DueAutomation) => { missedCount: number; nextAt: Date | null }

/**
 * How many are claimed in one transaction. The embedded store serves nothing else during it, and the transaction takes some 25 ms
 * of this thread. A thousand due at once are claimed in two seconds.
 */
const batchCount = 20

/** Claims everything that is due. */
export const claimDueTimes = (deps: ClaimDueDeps, control: { isStopping(): boolean }): Promise<void> =>
  claimFrom({ dueTimes: makeSqlDueTimes(deps), log: deps.log }, control)

export async function claimFrom(
  deps: { dueTimes: DueTimes; log: Log },
  control: { isStopping(): boolean },
): Promise<void> {
  const findNextTimes: FindNextTimes = (due) => nextTimesOf(deps, due)
  // A failing automation must not block the others: skip it, and retry it next time.
  const failedIds: string[] = []
  let count = batchCount
  while (!control.isStopping()) {
    const claimed: DueAutomation[] = []
    try {
      await deps.dueTimes.claimBatch({ count, exceptIds: failedIds, claimed, findNextTimes })
      if (claimed.length === 0) return
    } catch (error) {
      if (claimed.length === 0) throw error
      if (claimed.length === 1) {
        const automationId = claimed[0]!.id
        deps.log.error({ err: error, automationId }, 'requesting a due run failed')
        failedIds.push(automationId)
      }
      count = 1
    }
  }
}

/** Yields to the event loop first, because the embedded store works on this thread. */
export function makeSqlDueTimes({ db, clock, random }: Omit<ClaimDueDeps, 'log'>): DueTimes {
  return {
    async claimBatch({ claimed, findNextTimes, ...options }) {
      await yieldToEventLoop()
      await db.transaction().execute(async (tx) => {
        claimed.push(...(await lockDueAutomations(tx, options)))
        if (claimed.length === 0) return
        const due = claimed.map((automation) => ({ automation, ...findNextTimes(automation) }))
        const runs = await requestAutomationRuns(
          { tx, clock, random },
          due.map(({ automation, missedCount }) => ({
            automation,
            request: { trigger: 'schedule', triggerId: automation.id, due: { at: automation.dueAt, missedCount } },
          })),
        )
        // An automation without a new run got another one at this very moment; this time waits until that one has ended.
        const moved = due.filter(({ automation }) => runs.has(automation.id))
        await writeNextDueAt(
          tx,
          moved.map(({ automation: { id: automationId, dueAt }, nextAt }) => ({ automationId, dueAt, nextAt })),
        )
      })
    },
  }
}

/** A schedule that is no longer valid, because its time zone no longer exists, ends with the time that was due. */
export function nextTimesOf(
  { log }: { log: Log },
  { id, cron, timeZone, dueAt, foundAt: now }: DueAutomation,
): { missedCount: number; nextAt: Date | null } {
  const schedule = { cron, timeZone }
  try {
    return { missedCount: missedBetween(schedule, dueAt, now), nextAt: nextDueAt(schedule, now) }
  } catch (error) {
    log.error({ err: error, automationId: id, cron, timeZone }, 'schedule is no longer valid and has no next time')
    return { missedCount: 0, nextAt: null }
  }
}
