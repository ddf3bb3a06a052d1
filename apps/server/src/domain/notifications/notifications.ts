import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { countUnread, markRead, readNotificationsPage } from '../../store/notifications/notifications-table.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import type { Notification } from '../../model/notification.ts'
import { readListPage } from '../pagination/list-page.ts'

/** The caller's notifications, or only the unread ones, newest first; `unreadCount` counts all of them. */
export async function listNotifications(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest & { show?: 'all' | 'unread' },
): Promise<Page<Notification> & { unreadCount: number }> {
  const isUnreadOnly = request.show === 'unread'
  const list = `${isUnreadOnly ? 'unread ' : ''}notifications of ${caller.userId}`
  const [page, [unreadCount]] = await Promise.all([
    readListPage(deps, {
      place: { organizationId: caller.organizationId, list },
      request,
      read: async (page) => ({ rows: await readNotificationsPage(deps.db, caller, { isUnreadOnly, ...page }) }),
    }),
    countUnread(deps.db, [caller]),
  ])
  return { ...page, unreadCount: unreadCount! }
}

/** Marks all of the caller's notifications if no ids are given. Ids of other people's notifications are ignored. */
export async function markNotificationsRead(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  input: { ids?: string[] },
): Promise<{ unreadCount: number }> {
  await markRead(deps.db, caller, { ...(input.ids && { ids: input.ids.filter(isId) }), now: deps.clock.now() })
  const [unreadCount] = await countUnread(deps.db, [caller])
  return { unreadCount: unreadCount! }
}
