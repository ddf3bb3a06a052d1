import { sql } from 'kysely'
import type { CommentCounts, DataPoint } from '../../model/comment.ts'
import type { Item, ItemKind } from '../../model/item.ts'
import type { Db, Tx } from '../db.ts'
import { existingItem } from '../items/favorites-table.ts'

export interface CommentedItem {
  organizationId: string
  kind: ItemKind
  itemId: string
}

export interface NewThread extends CommentedItem {
  id: string
  tileId: string | null
  point: DataPoint | null
  now: Date
}

export async function insertThread(tx: Tx, thread: NewThread): Promise<void> {
  await tx
    .insertInto('comment_threads')
    .values({
      id: thread.id,
      organization_id: thread.organizationId,
      kind: thread.kind,
      item_id: thread.itemId,
      tile_id: thread.tileId,
      point: thread.point && JSON.stringify(thread.point),
      created_at: thread.now,
    })
    .execute()
}

/** How many threads the organization has. Locks the organization, so that the count holds until the transaction ends. */
export async function countThreads(tx: Tx, organizationId: string): Promise<number> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const { count } = await tx
    .selectFrom('comment_threads')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return count
}

export interface LockedThread extends Pick<Item, 'kind' | 'shortId' | 'title'> {
  id: string
  isResolved: boolean
  commentCount: number
}

/** Locks a thread of an item that is not deleted until the transaction ends, so that its comments can be counted. */
export async function lockThread(tx: Tx, key: { organizationId: string; threadId: string }): Promise<LockedThread | undefined> {
  const { rows } = await sql<Omit<LockedThread, 'commentCount'>>`
    select thread.id, thread.kind, item.short_id as "shortId", item.title, thread.resolved_at is not null as "isResolved"
    from comment_threads as thread
    ${existingItem(sql`thread`)}
    where thread.id = ${key.threadId} and thread.organization_id = ${key.organizationId}
    for update of thread`.execute(tx)
  const [thread] = rows
  if (!thread) return undefined
  // A statement of its own: it sees the comments that were committed while this one waited for the lock.
  const { rows: counts } = await sql<{ count: number }>`
    select count(*)::integer as count from comments where thread_id = ${key.threadId}`.execute(tx)
  return { ...thread, commentCount: counts[0]!.count }
}

/** A thread that is already resolved, or open, stays as it is. */
export async function setResolved(tx: Tx, change: { threadId: string; resolvedBy: string | null; now: Date }): Promise<void> {
  const { threadId, resolvedBy, now } = change
  await tx
    .updateTable('comment_threads')
    .set({ resolved_by: resolvedBy, resolved_at: resolvedBy === null ? null : now })
    .where('id', '=', threadId)
    .where('resolved_at', resolvedBy === null ? 'is not' : 'is', null)
    .execute()
}

export async function deleteThread(tx: Tx, threadId: string): Promise<void> {
  await tx.deleteFrom('comment_threads').where('id', '=', threadId).execute()
}

export async function readCommentCounts(db: Db, item: CommentedItem): Promise<CommentCounts> {
  const { rows } = await sql<{ tileId: string | null; openCount: number; resolvedCount: number }>`
    select tile_id as "tileId", count(*) filter (where resolved_at is null)::integer as "openCount",
      count(resolved_at)::integer as "resolvedCount"
    from comment_threads
    where organization_id = ${item.organizationId} and kind = ${item.kind} and item_id = ${item.itemId}
    group by tile_id
    order by tile_id`.execute(db)
  return {
    openCount: rows.reduce((sum, { openCount }) => sum + openCount, 0),
    resolvedCount: rows.reduce((sum, { resolvedCount }) => sum + resolvedCount, 0),
    tiles: rows.flatMap(({ tileId, openCount }) => (tileId !== null && openCount > 0 ? [{ tileId, openCount }] : [])),
  }
}
