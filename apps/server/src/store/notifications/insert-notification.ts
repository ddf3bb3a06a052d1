import { type RawBuilder, sql } from 'kysely'
import { commentNotificationKinds, type Notification, notificationKindsWithoutEmail } from '../../model/notification.ts'
import { currentTraceparent } from '../../ports/telemetry/spans.ts'
import type { Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'
import { wakes } from '../wakeups.ts'

/** Whether the user wants e-mails about a notification. */
export const wantsEmail = (kind: RawBuilder<unknown>) =>
  sql<boolean>`(users.email_notifications and (users.comment_emails or ${kind} <> all (${[...commentNotificationKinds]}::text[]))
    and ${kind} <> all (${[...notificationKindsWithoutEmail]}::text[]))`

/** The row also queues the e-mail if the user wants e-mails. */
export async function insertNotification(
  tx: Tx,
  notification: Omit<Notification, 'readAt'> & { organizationId: string; userId: string },
): Promise<void> {
  const { id, organizationId, userId, kind, message, link, createdAt } = notification
  await sql`${wakes('notifications', 'mail')}
    insert into notifications
      (id, organization_id, user_id, kind, message, link, created_at, email_state, email_next_attempt_at, traceparent)
    select ${id}, ${organizationId}, id, ${kind}, ${message}, ${link}, ${createdAt},
      case when ${wantsEmail(sql`${kind}`)} then 'due' end,
      case when ${wantsEmail(sql`${kind}`)} then ${storeNow} end, ${currentTraceparent()}::text
    from users where id = ${userId}`.execute(tx)
}
