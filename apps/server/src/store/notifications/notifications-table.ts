import { sql } from 'kysely'
import type { Notification } from '../../model/notification.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { exactText } from '../snapshot.ts'
import { wakes } from '../wakeups.ts'

/** The owner of notifications: a user in one organization. */
export interface NotificationOwner {
  organizationId: string
  userId: string
}

/** Newest first. */
export async function readNotificationsPage(
  db: Db,
  reader: NotificationOwner,
  options: { count: number; after?: ItemKey; isUnreadOnly?: boolean },
): Promise<{ item: Notification; key: ItemKey }[]> {
  const { after, isUnreadOnly = false } = options
  const { rows } = await sql<Notification & { createdAtText: string }>`
    select id, kind, message, link, created_at as "createdAt", read_at as "readAt",
      ${exactText(sql`created_at`)} as "createdAtText"
    from notifications
    where organization_id = ${reader.organizationId} and user_id = ${reader.userId}
      ${isUnreadOnly ? sql`and read_at is null` : sql``}
      ${after ? sql`and (created_at, id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by created_at desc, id desc
    limit ${options.count}`.execute(db)
  return rows.map(({ createdAtText, ...item }) => ({ item, key: { createdAt: createdAtText, id: item.id } }))
}

/** Unread notifications are counted up to this number, because every active user's count is read every few seconds. */
export const unreadCountMax = 1000

/** One count per reader, in the same order. The inner order matches the index, or the planner may read the whole table. */
export async function countUnread(db: Db, readers: NotificationOwner[]): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select (
      select count(*)::integer
      from (
        select from notifications
        where organization_id = reader.organization_id and user_id = reader.user_id and read_at is null
        order by created_at desc, id desc
        limit ${unreadCountMax}) as counted) as count
    from unnest(
      ${readers.map(({ organizationId }) => organizationId)}::text[],
      ${readers.map(({ userId }) => userId)}::text[]) with ordinality as reader (organization_id, user_id, number)
    order by number`.execute(db)
  return rows.map(({ count }) => count)
}

/** Marks all of the reader's notifications, or those in `ids`. Notifications already read keep their time. */
export async function markRead(db: Db, reader: NotificationOwner, options: { ids?: string[]; now: Date }): Promise<void> {
  const unread = db
    .updateTable('notifications')
    .set({ read_at: options.now })
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where('read_at', 'is', null)
    .modifyEnd(wakes('notifications'))
  if (options.ids?.length === 0) return
  await (options.ids ? unread.where('id', 'in', options.ids) : unread).execute()
}

export async function isNotification(db: Db | Tx, id: string): Promise<boolean> {
  return (await db.selectFrom('notifications').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function removeNotification(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('notifications').where('id', '=', id).execute()
}
