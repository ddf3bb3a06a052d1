import type { Email } from '../../ports/mail.ts'
import { shortened } from '../shortened.ts'
import type { ClaimedEmail, EmailDecision, EmailOutcome, NotificationKind } from '../../model/notification.ts'

const minute = 60_000
const hour = 60 * minute

/** Waits after failed attempts 1 to 5; the sixth attempt is the last. */
export const emailWaitsMs = [minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour] as const
export const emailAttemptsMax = emailWaitsMs.length + 1
export const emailTooOldMs = 24 * hour

/** Covers a whole attempt; a server may deliberately be slow to senders it does not know. */
export const emailDeadlineMs = minute
/** Long enough for an attempt and for recording it; short enough that the e-mails of a dead worker are soon taken over. */
export const emailLeaseMs = 3 * minute

export function decideEmail(options: { outcome: EmailOutcome; attemptNumber: number }): EmailDecision {
  if (options.outcome === 'taken') return { state: 'sent' }
  if (options.outcome === 'not_sent') return { state: 'given_back' }
  const waitMs = emailWaitsMs[options.attemptNumber - 1]
  if (options.outcome === 'refused_for_good' || waitMs === undefined) return { state: 'failed' }
  return { state: 'due', waitMs }
}

const subjects: Record<NotificationKind, string> = {
  endpoint_failing: 'Webhook endpoint is failing',
  endpoint_disabled: 'Webhook endpoint was disabled',
  run_failed: 'Automation failed',
  sign_ins_failing: 'Failed sign-ins to your account',
  comment_mention: 'You were mentioned',
  comment_reply: 'New reply',
  channel_disabled: 'Channel was disabled',
  report_failed: 'Report failed',
  address_bounced: 'Report can’t be delivered',
  alert_fired: 'Alert is firing',
}

const subjectMaxCharacters = 120

export function composeEmail(email: Omit<ClaimedEmail, 'attemptNumber' | 'leaseNumber'>, options: { baseUrl: string }): Email {
  const { baseUrl } = options
  return {
    id: email.id,
    to: email.email,
    subject: shortened(`${subjects[email.kind]}: ${oneLine(email.message)}`, subjectMaxCharacters),
    text: [
      email.message,
      `${baseUrl}${email.link}`,
      `See all notifications, or turn off these e-mails: ${notificationsUrl(baseUrl)}`,
    ].join('\n\n'),
  }
}

export const notificationsUrl = (baseUrl: string) => `${baseUrl}/notifications`

/** Names in a message are user input and may contain anything; a subject must be one line of text. */
export const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ').trim()
