/** Something that one person should know, shown in the pages until it is read. */
export interface Notification {
  id: string
  kind: NotificationKind
  message: string
  /** What it is about, as a path of the pages. */
  link: string
  createdAt: Date
  readAt: Date | null
}

export const notificationKinds = ['endpoint_failing', 'endpoint_disabled', 'run_failed', 'sign_ins_failing'] as const
export type NotificationKind = (typeof notificationKinds)[number]

/**
 * A *letter* is a notification as an e-mail. Its notification's row is its place in the queue.
 *
 * - It is sent at least once: a process that dies between sending and recording leaves it to another, which sends it
 *   again. Both carry the same Message-ID, by which mail programs know that they are one.
 * - What the server refuses for now is tried again after the waits below; what it refuses for good, and what has used
 *   up its attempts, has failed. The notification in the pages is there in any case.
 * - A notification that has been read, or is older than a day, is not sent any more: setting up a server sends no old
 *   news.
 */
export interface ClaimedLetter {
  id: string
  leaseNumber: number
  kind: NotificationKind
  message: string
  link: string
  email: string
  /** 1 to 6: which attempt this is. */
  attemptNumber: number
}

/** `not_sent`: it was interrupted before the server could say anything. */
export type LetterOutcome = 'taken' | 'refused_for_now' | 'refused_for_good' | 'not_sent'

export type LetterDecision =
  | { state: 'sent' }
  | { state: 'failed' }
  | { state: 'given_back' }
  /** To be tried again so long after the attempt was over. */
  | { state: 'due'; waitMs: number }
