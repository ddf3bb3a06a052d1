import { sql } from 'kysely'
import type { Db } from '../db.ts'

/**
 * Removes folders that were deleted before `deletedBefore`, one batch per call. One that a deleted board or folder is still in stays
 * until that is removed. Returns their number.
 */
export async function removeDeletedFolders(db: Db, options: { deletedBefore: Date; batchSize: number }): Promise<number> {
  const removed = await sql`
    delete from folders where id = any (array(
      select id from folders as folder where deleted_at < ${options.deletedBefore}
        and not exists (select from boards where folder_id = folder.id)
        and not exists (select from folders as child where child.parent_id = folder.id)
      limit ${options.batchSize} for update skip locked))`.execute(db)
  return Number(removed.numAffectedRows ?? 0n)
}
