import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'

export interface NewComment {
  id: string
  threadId: string
  organizationId: string
  text: string
  createdBy: string
  now: Date
}

export async function insertComment(tx: Tx, comment: NewComment): Promise<void> {
  await tx
    .insertInto('comments')
    .values({
      id: comment.id,
      thread_id: comment.threadId,
      organization_id: comment.organizationId,
      text: comment.text,
      created_by: comment.createdBy,
      created_at: comment.now,
    })
    .execute()
}

export interface StoredComment {
  id: string
  threadId: string
  text: string
  author: { id: string; name: string }
}

export async function findComment(
  db: Db | Tx,
  key: { organizationId: string; commentId: string },
): Promise<StoredComment | undefined> {
  const { rows } = await sql<StoredComment>`
    select comments.id, thread_id as "threadId", text, jsonb_build_object('id', users.id, 'name', users.name) as author
    from comments join users on users.id = comments.created_by
    where comments.id = ${key.commentId} and organization_id = ${key.organizationId}`.execute(db)
  return rows[0]
}

export async function setCommentText(tx: Tx, change: { commentId: string; text: string; now: Date }): Promise<void> {
  await tx.updateTable('comments').set({ text: change.text, edited_at: change.now }).where('id', '=', change.commentId).execute()
}

export async function deleteComment(tx: Tx, commentId: string): Promise<void> {
  await tx.deleteFrom('comments').where('id', '=', commentId).execute()
}

/** Adds mentions, and returns the people whom the comment had not mentioned before. */
export async function insertMentions(tx: Tx, mentions: { commentId: string; userIds: string[] }): Promise<string[]> {
  if (mentions.userIds.length === 0) return []
  const rows = await tx
    .insertInto('comment_mentions')
    .values(mentions.userIds.map((userId) => ({ comment_id: mentions.commentId, user_id: userId })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

/** People whom the comment mentions or has mentioned. */
export async function readMentionedIds(tx: Tx, commentId: string): Promise<string[]> {
  const rows = await tx.selectFrom('comment_mentions').select('user_id').where('comment_id', '=', commentId).execute()
  return rows.map((row) => row.user_id)
}

/** The authors of a thread's comments and the people they mention, as far as they are members of the organization. */
export async function readParticipants(tx: Tx, thread: { organizationId: string; threadId: string }): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select memberships.user_id as "userId"
    from memberships
    where organization_id = ${thread.organizationId} and user_id in (
      select created_by from comments where thread_id = ${thread.threadId}
      union
      select mention.user_id from comment_mentions as mention
      join comments on comments.id = mention.comment_id
      where comments.thread_id = ${thread.threadId})
    order by user_id`.execute(tx)
  return rows.map(({ userId }) => userId)
}
