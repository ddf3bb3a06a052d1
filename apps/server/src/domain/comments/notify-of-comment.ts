import type { Caller } from '../../model/caller.ts'
import { commentLimits } from '../../model/comment.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { insertMentions, readMentionedIds, readParticipants } from '../../store/comments/comments-table.ts'
import type { LockedThread } from '../../store/comments/threads-table.ts'
import type { Tx } from '../../store/db.ts'
import { findMembers } from '../../store/people/memberships-table.ts'
import { notify } from '../notifications/notify.ts'
import { badInput } from '../people/check-text.ts'
import { chooseRecipients } from './choose-recipients.ts'
import { describeComment, threadLink } from './describe-comment.ts'
import { mentionedIds } from './mentions.ts'

/**
 * Stores the mentions of a comment, and returns those that are new. Only members can be mentioned, so nobody finds out about people of
 * other organizations. A mention of somebody who has left since then stays.
 */
export async function saveMentions(
  tx: Tx,
  { organizationId }: Caller,
  { commentId, text }: { commentId: string; text: string },
): Promise<string[]> {
  const ids = mentionedIds(text)
  if (ids.length === 0) return []
  if (ids.length > commentLimits.mentions) {
    throw badInput('/text', `must mention at most ${commentLimits.mentions} people; it mentions ${ids.length}`)
  }
  const before = await readMentionedIds(tx, commentId)
  const userIds = ids.filter((id) => !before.includes(id))
  const members = await findMembers(tx, { organizationId, userIds })
  if (members.length < userIds.length) throw badInput('/text', 'must mention only members of your organization')
  return insertMentions(tx, { commentId, userIds })
}

/** Notifies the people whom a comment mentions and, if it `isReply`, those who take part in its thread. */
export async function notifyOfComment(
  deps: { tx: Tx; clock: Clock; random: Random },
  { organizationId, userId }: Caller,
  comment: { thread: LockedThread; text: string; mentioned: string[]; isReply: boolean },
): Promise<void> {
  const { thread, text, mentioned } = comment
  const participants = comment.isReply ? await readParticipants(deps.tx, { organizationId, threadId: thread.id }) : []
  const recipients = chooseRecipients({ authorId: userId, mentioned, participants })
  if (recipients.length === 0) return
  const members = await findMembers(deps.tx, { organizationId, userIds: [userId, ...mentionedIds(text)] })
  const names = new Map(members.map(({ id, name }) => [id, name]))
  for (const recipient of recipients) {
    const about = { kind: recipient.kind, authorName: names.get(userId) ?? 'Someone', itemTitle: thread.title, text, names }
    const message = describeComment(about)
    await notify(deps, { ...recipient, organizationId, message, link: threadLink(thread, thread.id) })
  }
}
