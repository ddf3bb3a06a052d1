import { sql } from 'kysely'
import type { ImageContentType } from '../../model/board.ts'
import type { Db, Tx } from '../db.ts'

export interface BoardImage {
  contentType: ImageContentType
  bytes: Buffer
}

export async function insertBoardImage(
  tx: Tx,
  image: BoardImage & { id: string; organizationId: string; createdBy: string; now: Date },
): Promise<void> {
  await tx
    .insertInto('board_images')
    .values({
      id: image.id,
      organization_id: image.organizationId,
      content_type: image.contentType,
      content: image.bytes.toString('base64'),
      created_by: image.createdBy,
      created_at: image.now,
    })
    .execute()
}

export async function findBoardImage(
  db: Db,
  key: { organizationId: string; imageId: string },
): Promise<BoardImage | undefined> {
  const row = await db
    .selectFrom('board_images')
    .select(['content_type', 'content'])
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.imageId)
    .executeTakeFirst()
  return row && { contentType: row.content_type, bytes: Buffer.from(row.content, 'base64') }
}

/** Those of these ids that belong to an image of the organization. */
export async function findBoardImageIds(db: Db | Tx, key: { organizationId: string; imageIds: string[] }): Promise<string[]> {
  const rows = await db
    .selectFrom('board_images')
    .select('id')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', sql<string>`any(${key.imageIds}::text[])`)
    .execute()
  return rows.map((row) => row.id)
}

/** Locks the organization, so that the count holds until the transaction ends. */
export async function countBoardImages(tx: Tx, organizationId: string): Promise<number> {
  await tx.selectFrom('organizations').select('id').where('id', '=', organizationId).forNoKeyUpdate().execute()
  const row = await tx
    .selectFrom('board_images')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return row.count
}
