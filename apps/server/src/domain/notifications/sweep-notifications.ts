import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { removeOldNotifications } from '../../store/notifications/sweep.ts'

/** Nobody looks further back, read or not. */
export const notificationKeptMs = 90 * 24 * 3600_000

const portion = 1000
/** What is left after so many comes with the next sweep. */
const portionsMax = 100

export async function sweepNotifications(deps: { db: Db; clock: Clock }): Promise<void> {
  const createdBefore = new Date(deps.clock.now().getTime() - notificationKeptMs)
  for (let done = 0; done < portionsMax; done += 1) {
    if ((await removeOldNotifications(deps.db, { createdBefore, portion })) < portion) return
  }
}
