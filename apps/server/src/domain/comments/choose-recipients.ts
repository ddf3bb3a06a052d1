import type { commentNotificationKinds } from '../../model/notification.ts'

export interface Recipient {
  userId: string
  kind: (typeof commentNotificationKinds)[number]
}

/**
 * Whom to notify of a comment: each person once, never the author. A participant who is mentioned gets the notification of the mention.
 */
export function chooseRecipients(comment: {
  authorId: string
  /** Members whom this comment mentions for the first time. */
  mentioned: readonly string[]
  /** Members who take part in the thread; none for an edit. */
  participants: readonly string[]
}): Recipient[] {
  const { authorId, mentioned, participants } = comment
  const kinds = new Map<string, Recipient['kind']>()
  for (const userId of participants) kinds.set(userId, 'comment_reply')
  for (const userId of mentioned) kinds.set(userId, 'comment_mention')
  kinds.delete(authorId)
  return Array.from(kinds, ([userId, kind]) => ({ userId, kind }))
}
