import { sql } from 'kysely'
import { type Clock, startStopwatch } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Db } from './db.ts'
import { storeNow } from './store-now.ts'

/**
 * A clock that shows the store's time, so that all processes that share a store agree on the time, however wrong their machines'
 * clocks are. Between comparisons with the store it follows the machine's monotonic clock.
 *
 * It is accurate to within the store's response time, which is enough for timestamps, sessions and cursors. Times that must be exact
 * across processes, such as leases and due times, are compared in SQL (`storeNow`).
 */
export interface StoreClock extends Clock {
  /** Compares with the store. Call it before the first use and then periodically. */
  compare(): Promise<void>
  /** How far the machine's clock is ahead of the store's. */
  aheadMs(): number
}

/** Slower answers are too inaccurate and ignored, except the first, which is still better than the machine's clock. */
const slowAnswerMs = 2_000
/** If the machine's two clocks have drifted apart by more than this, it slept or its clock was changed. */
const driftMs = 500
const retryMs = 1_000
/** Beyond this, a warning says that the machine's clock is wrong. */
const wrongMs = 5_000

/** The store's current time. */
export async function readStoreTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${storeNow} as now`.execute(db)
  return rows[0]!.now
}

export function makeStoreClock(options: { clock: Clock; readStoreTime(): Promise<Date>; log: Log }): StoreClock {
  const { clock, log } = options
  /** The store's time minus the monotonic clock's, and the machine clock's at the same moment. */
  let storeMinusMonotonicMs = clock.machineMs() - clock.monotonicMs()
  let machineMinusMonotonicMs = storeMinusMonotonicMs
  let comparedMs = -Infinity
  let isCompared = false
  let isReportedWrong = false

  async function compare() {
    const askedMs = clock.monotonicMs()
    const sinceAskedMs = startStopwatch(clock)
    comparedMs = askedMs
    const now = await options.readStoreTime()
    const answeredMs = clock.monotonicMs()
    // The stopwatch uses the larger of both clocks' durations: a machine that slept while waiting would otherwise use an outdated time.
    if (isCompared && sinceAskedMs() > slowAnswerMs) return
    isCompared = true
    storeMinusMonotonicMs = now.getTime() - (askedMs + answeredMs) / 2
    machineMinusMonotonicMs = clock.machineMs() - clock.monotonicMs()
    reportClockError()
  }

  function reportClockError() {
    const aheadMs = Math.round(machineMinusMonotonicMs - storeMinusMonotonicMs)
    const isWrong = Math.abs(aheadMs) > wrongMs
    if (isWrong && !isReportedWrong) log.warn({ aheadMs }, "machine clock differs from the store's; using the store's time")
    if (!isWrong && isReportedWrong) log.info({ aheadMs }, "machine clock agrees with the store's again")
    isReportedWrong = isWrong
  }

  return {
    now() {
      const monotonicMs = clock.monotonicMs()
      const hasDrifted = Math.abs(clock.machineMs() - monotonicMs - machineMinusMonotonicMs) > driftMs
      // After the machine slept, the monotonic clock is behind.
      if (hasDrifted && monotonicMs - comparedMs > retryMs) {
        compare().catch((error: unknown) => log.warn({ err: error }, "failed to read the store's time"))
      }
      return new Date(Math.round(monotonicMs + storeMinusMonotonicMs))
    },
    monotonicMs: () => clock.monotonicMs(),
    machineMs: () => clock.machineMs(),
    sleep: (ms, signal) => clock.sleep(ms, signal),
    compare,
    aheadMs: () => machineMinusMonotonicMs - storeMinusMonotonicMs,
  }
}
