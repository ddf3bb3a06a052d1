import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { walkBatch } from '../sweep-walk.ts'

/**
 * Removes images that were uploaded before the given time and that no version of a board shows, not even of a board in the trash. The
 * versions of an organization are read once for all its images.
 */
export function removeUnusedImages(db: Db, options: { uploadedBefore: Date; now: Date }): Promise<{ rows: number; hasMore: boolean }> {
  return walkBatch(db, { kind: 'board images', now: options.now }, async (tx, afterId) => {
    const organization = await tx
      .selectFrom('board_images')
      .select('organization_id as id')
      .where('organization_id', '>', afterId ?? '')
      .where('created_at', '<', options.uploadedBefore)
      .orderBy('organization_id')
      .limit(1)
      .executeTakeFirst()
    if (!organization) return { rows: 0, nextAfterId: null }
    const { numAffectedRows } = await sql`
      delete from board_images
      where organization_id = ${organization.id} and created_at < ${options.uploadedBefore}
        and id not in (
          select tile ->> 'imageId'
          from boards join board_versions as version on version.board_id = boards.id
          cross join jsonb_array_elements(version.content -> 'tiles') as tile
          where boards.organization_id = ${organization.id} and tile ->> 'imageId' is not null)`.execute(tx)
    return { rows: Number(numAffectedRows ?? 0n), nextAfterId: organization.id }
  })
}
