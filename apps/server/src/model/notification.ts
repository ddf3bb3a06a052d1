/** Information for one person, shown in the pages until it is read. */
export interface Notification {
  id: string
  kind: NotificationKind
  message: string
  /** What it is about, as a path of the pages. */
  link: string
  createdAt: Date
  readAt: Date | null
}

export const notificationKinds = [
  'endpoint_failing',
  'endpoint_disabled',
  'run_failed',
  'sign_ins_failing',
  'comment_mention',
  'comment_reply',
  'channel_disabled',
  'report_failed',
  'address_bounced',
  'alert_fired',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

/** Never sent by e-mail: an alert sends its e-mails as reports, to the people who are chosen for it. */
export const notificationKindsWithoutEmail = ['alert_fired'] as const satisfies NotificationKind[]

/** People can turn off e-mails of these kinds and still get the others. */
export const commentNotificationKinds = ['comment_mention', 'comment_reply'] as const satisfies NotificationKind[]

/**
 * A notification sent by e-mail. The notification's row is its place in the queue.
 *
 * - It is sent at least once: if a process dies between sending and recording, another sends it again. Both carry the same
 *   Message-ID, so mail programs treat them as one.
 * - After a temporary rejection it is retried after fixed waits. After a permanent rejection, or when its attempts are used up, it
 * has
 *   failed. The notification in the pages exists in any case.
 * - A notification that has been read, or is older than a day, is no longer sent: setting up a mail server sends no old news.
 */
export interface ClaimedEmail {
  id: string
  leaseNumber: number
  kind: NotificationKind
  message: string
  link: string
  email: string
  /** 1 to 6: the number of this attempt. */
  attemptNumber: number
  /** The trace that it belongs to, if the change that it reports was made in one. */
  traceparent?: string | null
}

/** `not_sent`: interrupted before the server could answer. */
export type EmailOutcome = 'taken' | 'refused_for_now' | 'refused_for_good' | 'not_sent'

export type EmailDecision =
  | { state: 'sent' }
  | { state: 'failed' }
  | { state: 'given_back' }
  /** To be retried this long after the attempt ended. */
  | { state: 'due'; waitMs: number }
