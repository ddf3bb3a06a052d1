import { sql } from 'kysely'
import type { ClaimedEmail, EmailDecision } from '../../model/notification.ts'
import type { Db } from '../db.ts'
import { dueInTurn } from '../due-in-turn.ts'
import { storeNow, storeNowPlus } from '../store-now.ts'
import { wantsEmail } from './insert-notification.ts'

/**
 * Claims due e-mails, in turns between organizations, by moving their next attempt to the end of a lease, so that no other worker sees them
 * as due. The attempt counts from here on, so an e-mail that crashes the process is not retried forever, and the attempt number fences
 * what is recorded. An e-mail without attempts left has failed: each of its attempts ended with a crash.
 *
 * The same statement drops e-mails that are no longer needed: the notification has been read or is too old, or the user has left
 * the organization or turned e-mail off.
 */
export async function claimEmails(
  db: Db,
  options: { leaseMs: number; keptMs: number; attemptsMax: number; count: number },
): Promise<{ emails: ClaimedEmail[]; checkedCount: number }> {
  const { rows } = await sql<ClaimedEmail & { checkedCount: number }>`
    with recursive ${dueInTurn('notifications', options)},
    judged as materialized (
      select notification.id, users.email,
        notification.read_at is null and notification.created_at > ${storeNowPlus(-options.keptMs)}
          and ${wantsEmail(sql`notification.kind`)} and memberships.user_id is not null as is_wanted,
        notification.email_attempt_count < ${options.attemptsMax} as has_attempts
      from due
      join notifications as notification on notification.id = due.id
      join users on users.id = notification.user_id
      left join memberships
        on memberships.organization_id = notification.organization_id and memberships.user_id = notification.user_id),
    dropped as (
      update notifications as notification
      set email_state = case when judged.is_wanted then 'failed' end, email_next_attempt_at = null
      from judged where judged.id = notification.id and not (judged.is_wanted and judged.has_attempts)),
    claimed as (
      update notifications as notification
      set email_attempt_count = email_attempt_count + 1, email_lease_number = email_lease_number + 1,
        email_next_attempt_at = ${storeNowPlus(options.leaseMs)}
      from judged where judged.id = notification.id and judged.is_wanted and judged.has_attempts
      returning notification.id, notification.kind, notification.message, notification.link, judged.email,
        notification.email_attempt_count as "attemptNumber", notification.email_lease_number as "leaseNumber",
        notification.traceparent)
    select claimed.*, "checkedCount"
    from (select count(*)::integer as "checkedCount" from judged) as looked
    left join claimed on true`.execute(db)
  const { checkedCount } = rows[0]!
  const emails = rows.filter(({ id }) => id !== null).map(({ checkedCount: _, ...email }): ClaimedEmail => email)
  return { emails, checkedCount }
}

/** False if the lease expired and another worker has claimed or finished the e-mail. */
export async function recordEmail(
  db: Db,
  email: Pick<ClaimedEmail, 'id' | 'leaseNumber' | 'attemptNumber'>,
  decision: EmailDecision,
  { endedAgoMs }: { endedAgoMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notifications')
    .set(columnsOf(email, decision, endedAgoMs))
    .where('id', '=', email.id)
    .where('email_state', '=', 'due')
    .where('email_attempt_count', '=', email.attemptNumber)
    .where('email_lease_number', '=', email.leaseNumber)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

function columnsOf({ attemptNumber }: Pick<ClaimedEmail, 'attemptNumber'>, decision: EmailDecision, endedAgoMs: number) {
  switch (decision.state) {
    case 'due':
      return { email_next_attempt_at: storeNowPlus(decision.waitMs - endedAgoMs) }
    // Nothing was sent, so the attempt does not count.
    case 'given_back':
      return { email_next_attempt_at: storeNow, email_attempt_count: attemptNumber - 1 }
    case 'sent':
    case 'failed':
      return { email_state: decision.state, email_next_attempt_at: null }
  }
}
