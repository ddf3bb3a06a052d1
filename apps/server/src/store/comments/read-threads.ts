import { type RawBuilder, sql } from 'kysely'
import type { Comment, CommentThread, Mention, ThreadFilter } from '../../model/comment.ts'
import type { ItemKey } from '../../model/page.ts'
import type { Db, Tx } from '../db.ts'
import { existingItem } from '../items/favorites-table.ts'
import { exactText } from '../snapshot.ts'
import type { CommentedItem } from './threads-table.ts'

type ThreadRow = Omit<CommentThread, 'comments'> & { createdAtText: string }

const fields = sql`thread.id, thread.kind, thread.tile_id as "tileId", thread.point, thread.created_at as "createdAt",
  ${exactText(sql`thread.created_at`)} as "createdAtText", thread.resolved_at as "resolvedAt",
  (select jsonb_build_object('id', users.id, 'name', users.name) from users where users.id = thread.resolved_by) as "resolvedBy",
  (select count(*)::integer from comments where comments.thread_id = thread.id) as "commentCount"`

/** How many of the newest comments a list has, beside the first comment of each thread. */
const listedComments = 3

/** The threads of an item, newest first. */
export async function readThreadsPage(
  db: Db,
  item: CommentedItem,
  page: { show: ThreadFilter; tileId?: string; count: number; after?: ItemKey },
): Promise<{ item: CommentThread; key: ItemKey }[]> {
  const { after, tileId } = page
  const { rows } = await sql<ThreadRow>`
    select ${fields}
    from comment_threads as thread
    where thread.organization_id = ${item.organizationId} and thread.kind = ${item.kind} and thread.item_id = ${item.itemId}
      and thread.resolved_at is ${page.show === 'open' ? sql`null` : sql`not null`}
      ${tileId === undefined ? sql`` : sql`and thread.tile_id = ${tileId}`}
      ${after ? sql`and (thread.created_at, thread.id) < (${after.createdAt}::timestamptz, ${after.id})` : sql``}
    order by thread.created_at desc, thread.id desc
    limit ${page.count}`.execute(db)
  const threads = await withComments(db, rows, listedComments)
  return threads.map((thread, at) => ({ item: thread, key: { createdAt: rows[at]!.createdAtText, id: thread.id } }))
}

/** A thread of an item that is not deleted, with all its comments. */
export async function findThread(
  db: Db | Tx,
  key: { organizationId: string; threadId: string },
): Promise<CommentThread | undefined> {
  const { rows } = await sql<ThreadRow>`
    select ${fields}
    from comment_threads as thread
    ${existingItem(sql`thread`)}
    where thread.id = ${key.threadId} and thread.organization_id = ${key.organizationId}`.execute(db)
  const [thread] = await withComments(db, rows, 'all')
  return thread
}

type CommentRow = Comment & { threadId: string }

const ofThread = (order: RawBuilder<unknown>) => sql`select * from comments where thread_id = thread.id ${order}`

async function withComments(db: Db | Tx, rows: ThreadRow[], newest: number | 'all'): Promise<CommentThread[]> {
  if (rows.length === 0) return []
  const shown =
    newest === 'all'
      ? ofThread(sql``)
      : sql`(${ofThread(sql`order by created_at, id limit 1`)})
          union (${ofThread(sql`order by created_at desc, id desc limit ${newest}`)})`
  const { rows: comments } = await sql<CommentRow>`
    select comment.thread_id as "threadId", comment.id, comment.text, comment.created_at as "createdAt",
      comment.edited_at as "editedAt", jsonb_build_object('id', author.id, 'name', author.name) as author,
      ${mentionsOf(sql`comment`)} as mentions
    from unnest(${rows.map(({ id }) => id)}::text[]) as thread (id)
    cross join lateral (${shown}) as comment
    join users as author on author.id = comment.created_by
    order by comment.created_at, comment.id`.execute(db)
  const byThread = Map.groupBy(comments, ({ threadId }) => threadId)
  return rows.map(({ createdAtText: _, ...thread }) => ({
    ...thread,
    comments: (byThread.get(thread.id) ?? []).map(({ threadId: __, ...comment }) => comment),
  }))
}

const mentionsOf = (comment: RawBuilder<unknown>): RawBuilder<Mention[]> => sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('id', users.id, 'name', users.name, 'isMember', exists (
      select from memberships where organization_id = ${comment}.organization_id and user_id = users.id)) order by users.id)
    from comment_mentions as mention
    join users on users.id = mention.user_id
    where mention.comment_id = ${comment}.id), '[]')`
