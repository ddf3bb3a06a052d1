import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import {
  countUnread,
  listNotifications as readNotifications,
  markRead,
} from '../../store/notifications/notifications.ts'
import { isId } from '../ids.ts'
import type { Caller } from '../people/caller.ts'
import type { Notification } from './notification.ts'

/** The caller's own, newest first; `unreadCount` is of all there are. */
export async function listNotifications(
  deps: { db: Db },
  caller: Caller,
  request: { limit: number },
): Promise<{ items: Notification[]; unreadCount: number }> {
  const [items, unreadCount] = await Promise.all([
    readNotifications(deps.db, caller, { count: request.limit }),
    countUnread(deps.db, caller),
  ])
  return { items, unreadCount }
}

/** All of the caller's when no ids are given. Ids of others' are passed over: for the caller they do not exist. */
export async function markNotificationsRead(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  input: { ids?: string[] },
): Promise<{ unreadCount: number }> {
  await markRead(deps.db, caller, { ...(input.ids && { ids: input.ids.filter(isId) }), now: deps.clock.now() })
  return { unreadCount: await countUnread(deps.db, caller) }
}
