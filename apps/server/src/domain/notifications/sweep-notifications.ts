import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { removeOldNotifications } from '../../store/notifications/remove-old-notifications.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** Older notifications are removed, read or unread. */
export const notificationKeptMs = keptMs.notifications

export function notificationSweep(deps: { db: Db; clock: Clock }): Sweep {
  const createdBefore = new Date(deps.clock.now().getTime() - notificationKeptMs)
  return sweepOf('notifications', (portion) => removeOldNotifications(deps.db, { createdBefore, portion }))
}
