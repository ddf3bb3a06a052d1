import type { Notification } from '../../domain/notifications/notification.ts'
import type { Tx } from '../db.ts'

export async function insertNotification(
  tx: Tx,
  notification: Omit<Notification, 'readAt'> & { organizationId: string; userId: string },
): Promise<void> {
  const { id, organizationId, userId, kind, message, link, createdAt } = notification
  await tx
    .insertInto('notifications')
    .values({ id, organization_id: organizationId, user_id: userId, kind, message, link, created_at: createdAt })
    .execute()
}
