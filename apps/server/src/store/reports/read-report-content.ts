import type { RenderedReport } from '../../model/report.ts'
import type { Db } from '../db.ts'

/** Only a document without deliveries is ever removed, so the content of a delivery exists. */
export async function readReportContent(db: Db, contentId: string): Promise<RenderedReport> {
  const { document } = await db
    .selectFrom('report_contents')
    .select('document')
    .where('id', '=', contentId)
    .executeTakeFirstOrThrow()
  const files = await db
    .selectFrom('report_files')
    .select(['image_id as imageId', 'file_name as fileName', 'content_type as contentType', 'content'])
    .where('content_id', '=', contentId)
    .orderBy('position')
    .execute()
  const images = new Map<string, Uint8Array>()
  const attachments: RenderedReport['attachments'] = []
  for (const { imageId, fileName, contentType, content } of files) {
    const bytes = Buffer.from(content, 'base64')
    if (imageId === null) attachments.push({ fileName, contentType, bytes })
    else images.set(imageId, bytes)
  }
  return { document, images, attachments }
}
