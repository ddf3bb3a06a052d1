import { sql } from 'kysely'
import type { Notification } from '../../model/notification.ts'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** The row also queues the e-mail if the user wants e-mails. */
export async function insertNotification(
  tx: Tx,
  notification: Omit<Notification, 'readAt'> & { organizationId: string; userId: string },
): Promise<void> {
  const { id, organizationId, userId, kind, message, link, createdAt } = notification
  await sql`${wakes('notifications', 'mail')}
    insert into notifications
      (id, organization_id, user_id, kind, message, link, created_at, email_state, email_next_attempt_at)
    select ${id}, ${organizationId}, id, ${kind}, ${message}, ${link}, ${createdAt},
      case when email_notifications then 'due' end,
      case when email_notifications then ${storeNow} end
    from users where id = ${userId}`.execute(tx)
}
