import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Removes boards that were deleted before `deletedBefore`, with everything that belongs to them, one batch per call. Returns their
 * number.
 */
export async function removeDeletedBoards(db: Db, options: { deletedBefore: Date; batchSize: number }): Promise<number> {
  const ofRemoved = sql`kind = 'board' and item_id in (select id from removed)`
  const { rows } = await sql<{ count: number }>`
    with removed as (
      delete from boards where id = any (array(
        select id from boards where deleted_at < ${options.deletedBefore}
        limit ${options.batchSize} for update skip locked))
      returning id),
    favorite as (delete from favorites where ${ofRemoved}),
    recent as (delete from recent_views where ${ofRemoved}),
    tag as (delete from item_tags where ${ofRemoved}),
    thread as (delete from comment_threads where ${ofRemoved})
    select count(*)::integer as count from removed`.execute(db)
  return rows[0]!.count
}

/** The same for folders. One that a deleted board or folder is still in stays until that is removed. */
export async function removeDeletedFolders(db: Db, options: { deletedBefore: Date; batchSize: number }): Promise<number> {
  const removed = await sql`
    delete from folders where id = any (array(
      select id from folders as folder where deleted_at < ${options.deletedBefore}
        and not exists (select from boards where folder_id = folder.id)
        and not exists (select from folders as child where child.parent_id = folder.id)
      limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(removed.numAffectedRows ?? 0n)
}
