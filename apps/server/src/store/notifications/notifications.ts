import type { Notification } from '../../domain/notifications/notification.ts'
import type { Db } from '../db.ts'

interface Reader {
  organizationId: string
  userId: string
}

/** Newest first. */
export async function listNotifications(db: Db, reader: Reader, options: { count: number }): Promise<Notification[]> {
  return db
    .selectFrom('notifications')
    .select(['id', 'kind', 'message', 'link', 'created_at as createdAt', 'read_at as readAt'])
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(options.count)
    .execute()
}

export async function countUnread(db: Db, reader: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('notifications')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** All of the reader's, or those of them that have one of `ids`. What has been read keeps the time of its first reading. */
export async function markRead(db: Db, reader: Reader, options: { ids?: string[]; now: Date }): Promise<void> {
  const unread = db
    .updateTable('notifications')
    .set({ read_at: options.now })
    .where('organization_id', '=', reader.organizationId)
    .where('user_id', '=', reader.userId)
    .where('read_at', 'is', null)
  if (options.ids?.length === 0) return
  await (options.ids ? unread.where('id', 'in', options.ids) : unread).execute()
}
