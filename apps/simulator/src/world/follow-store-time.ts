import { repeatTask } from '@querypost/server/background-work'
import type { Log } from '@querypost/server/log'
import { makeStoreClock } from '@querypost/server/store'
import type { Machine } from './machine.ts'
import type { Scheduler } from './scheduler.ts'

/** The maximum clock error of a process that has just compared its clock with the store's. */
const clockGoodMs = 2_500

/** The clock of a process, which follows the store's. `nowMs`: the store's time. `read`: calls the store. */
export function followStoreTime(options: { machine: Machine; scheduler: Scheduler; log: Log; nowMs(): number; read(act: () => Date): Promise<Date> }) {
  const { machine, log, nowMs } = options
  const clock = makeStoreClock({ clock: machine.clock, readStoreTime: () => options.read(() => new Date(nowMs())), log })
  machine.useClock(clock)

  async function compare() {
    await clock.compare()
    // A slow answer, or one during a suspension, is not used.
    const isRight = Math.abs(clock.now().getTime() - nowMs()) < clockGoodMs
    if (isRight) machine.last.comparedMs = options.scheduler.nowMs()
  }

  return {
    clock,
    compare,
    /** Like a starting process, first reads the store's time. */
    async begin() {
      while (!machine.isDead()) {
        try {
          await compare()
          break
        } catch {
          await machine.clock.sleep(1_000)
        }
      }
      repeatTask({ what: "compare the clock with the store's", everyMs: 30_000, clock, log, act: compare }).start()
    },
  }
}
