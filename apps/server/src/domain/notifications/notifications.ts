import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { countUnread, markRead, readNotificationsPage } from '../../store/notifications/notifications-table.ts'
import { isId } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import type { Notification } from '../../model/notification.ts'

/** The caller's own, or those of them that are unread, newest first; `unreadCount` is of all there are. */
export async function listNotifications(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  { limit, cursor, show = 'all' }: PageRequest & { show?: 'all' | 'unread' },
): Promise<Page<Notification> & { unreadCount: number }> {
  const isUnreadOnly = show === 'unread'
  const list = `${isUnreadOnly ? 'unread ' : ''}notifications of ${caller.userId}`
  const place = { organizationId: caller.organizationId, list }
  const now = deps.clock.now()
  const after = cursor === undefined ? undefined : deps.listCursors.decode(cursor, place, now)
  const [rows, [unreadCount]] = await Promise.all([
    readNotificationsPage(deps.db, caller, { count: limit + 1, isUnreadOnly, ...(after && { after }) }),
    countUnread(deps.db, [caller]),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)!.key : undefined
  return {
    items: shown.map(({ item }) => item),
    ...(last && { nextCursor: deps.listCursors.encode(place, last, now) }),
    unreadCount: unreadCount!,
  }
}

/** All of the caller's when no ids are given. Ids of others' are passed over: for the caller they do not exist. */
export async function markNotificationsRead(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  input: { ids?: string[] },
): Promise<{ unreadCount: number }> {
  await markRead(deps.db, caller, { ...(input.ids && { ids: input.ids.filter(isId) }), now: deps.clock.now() })
  const [unreadCount] = await countUnread(deps.db, [caller])
  return { unreadCount: unreadCount! }
}
