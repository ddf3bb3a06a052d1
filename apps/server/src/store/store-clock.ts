import { sql } from 'kysely'
import { type Clock, startStopwatch } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Db } from './db.ts'
import { storeNow } from './store-now.ts'

/**
 * A clock that shows the store's time, so that all processes that share a store agree about the time however wrong their machines'
 * clocks are. Between two comparisons with the store it runs by the machine's monotonic clock.
 *
 * It is good to within the time that an answer of the store takes, which is enough for timestamps, sessions and cursors. What must be
 * exact between processes, leases and due times, is compared in SQL (`storeNow`).
 */
export interface StoreClock extends Clock {
  /** Compares with the store. To be called before the first use, and then now and then. */
  compare(): Promise<void>
  /** How far the machine's clock is ahead of the store's. */
  aheadMs(): number
}

/** An answer that took longer says too little about when it was given; the first one is better than the machine's clock anyway. */
const slowAnswerMs = 2_000
/** The machine slept, or its clock was set, when its two clocks have come apart by more than this. */
const apartMs = 500
const againAfterMs = 1_000
/** From here on the log says that the machine's clock is wrong. */
const wrongMs = 5_000

/** The store's time of now. */
export async function readStoreTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${storeNow} as now`.execute(db)
  return rows[0]!.now
}

export function makeStoreClock(options: { clock: Clock; readStoreTime(): Promise<Date>; log: Log }): StoreClock {
  const { clock, log } = options
  /** The store's time minus the monotonic clock's, and what the machine's clock said beside it. */
  let storeMinusMonotonicMs = clock.machineMs() - clock.monotonicMs()
  let machineMinusMonotonicMs = storeMinusMonotonicMs
  let comparedMs = -Infinity
  let isCompared = false
  let isKnownToBeWrong = false

  async function compare() {
    const askedMs = clock.monotonicMs()
    const sinceAskedMs = startStopwatch(clock)
    comparedMs = askedMs
    const now = await options.readStoreTime()
    const answeredMs = clock.monotonicMs()
    // By whichever clock says more: a machine that slept while it waited would take an old time for the present one.
    if (isCompared && sinceAskedMs() > slowAnswerMs) return
    isCompared = true
    storeMinusMonotonicMs = now.getTime() - (askedMs + answeredMs) / 2
    machineMinusMonotonicMs = clock.machineMs() - clock.monotonicMs()
    sayWhetherWrong()
  }

  function sayWhetherWrong() {
    const aheadMs = Math.round(machineMinusMonotonicMs - storeMinusMonotonicMs)
    const isWrong = Math.abs(aheadMs) > wrongMs
    if (isWrong && !isKnownToBeWrong) log.warn({ aheadMs }, "machine clock differs from the store's; using the store's time")
    if (!isWrong && isKnownToBeWrong) log.info({ aheadMs }, "machine clock agrees with the store's again")
    isKnownToBeWrong = isWrong
  }

  return {
    now() {
      const monotonicMs = clock.monotonicMs()
      const isApart = Math.abs(clock.machineMs() - monotonicMs - machineMinusMonotonicMs) > apartMs
      // After a sleep of the machine the monotonic clock is behind.
      if (isApart && monotonicMs - comparedMs > againAfterMs) {
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
