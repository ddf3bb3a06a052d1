import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Random } from '../../ports/random.ts'
import { type DueAutomation, lockDueAutomations, writeNextDueAt } from '../../store/automations/due-times.ts'
import type { Db } from '../../store/db.ts'
import { requestAutomationRuns } from '../agent-runs/request-automation-run.ts'
import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'
import { missedBetween, nextDueAt } from './schedule.ts'

/**
 * Claiming due times. `next_due_at` is the first time that nobody has attended to. The transaction that moves it on requests the
 * run: both or neither, so a time that was due gives exactly one run, whoever dies when.
 *
 * - Times that passed since the first one are the same run's, which counts them and says that it is late.
 * - A time that comes while a run is under way waits until that has ended.
 */
export interface ClaimDueDeps {
  db: Db
  clock: Clock
  random: Random
  log: Log
}

/** What claiming due times needs of a store. Two exist: SQL, and the simulator's in memory. */
export interface DueTimes {
  /**
   * In one transaction: finds automations that are due, requests their runs and moves their due times on. `claimed` is filled before
   * anything is written, so that the caller knows which ones a failure concerns.
   */
  claimBatch(options: { count: number; exceptIds: string[]; claimed: DueAutomation[]; findNextTimes: FindNextTimes }): Promise<void>
}

/** How many times were missed beside the one that was due, and when the next one is. */
export type FindNextTimes = (due: DueAutomation) => { missedCount: number; nextAt: Date | null }

/**
 * How many are claimed in one transaction. The embedded store answers nobody else meanwhile, and takes some 25 ms of this thread for
 * them; a thousand due at once are claimed in two seconds.
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
  // One automation that fails must not keep the others from their times: it is passed over, and tried again the next time.
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
        deps.log.error({ err: error, automationId }, 'could not request a run that is due; trying again')
        failedIds.push(automationId)
      }
      count = 1
    }
  }
}

/** `breathe` is for the embedded store, which works on this very thread. */
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
        // Who got none has another, requested by somebody in this very moment: this time waits behind it.
        const moved = due.filter(({ automation }) => runs.has(automation.id))
        await writeNextDueAt(
          tx,
          moved.map(({ automation: { id: automationId, dueAt }, nextAt }) => ({ automationId, dueAt, nextAt })),
        )
      })
    },
  }
}

/** A schedule that can be read no more, because its time zone is gone, ends with the time that was due. */
export function nextTimesOf(
  { log }: { log: Log },
  { id, cron, timeZone, dueAt, foundAt: now }: DueAutomation,
): { missedCount: number; nextAt: Date | null } {
  const schedule = { cron, timeZone }
  try {
    return { missedCount: missedBetween(schedule, dueAt, now), nextAt: nextDueAt(schedule, now) }
  } catch (error) {
    log.error({ err: error, automationId: id, cron, timeZone }, 'a schedule can be read no more, so it has no next time')
    return { missedCount: 0, nextAt: null }
  }
}
