import { sql } from 'kysely'
import type { LinkedFile, ResultFileSource } from '../../model/report.ts'
import type { Db, Tx } from '../db.ts'
import { storeNow } from '../store-now.ts'

export async function insertReportDownloads(tx: Tx, contentId: string, files: readonly LinkedFile[]): Promise<void> {
  for (const [position, { fileName, contentType, content, expiresAt }] of files.entries()) {
    const isStored = content.kind === 'stored'
    await tx
      .insertInto('report_downloads')
      .values({
        content_id: contentId,
        position,
        file_name: fileName,
        content_type: contentType,
        size_bytes: isStored ? content.bytes.length : null,
        source: isStored ? null : JSON.stringify(content),
        content: isStored ? Buffer.from(content.bytes).toString('base64') : null,
        expires_at: expiresAt,
      })
      .execute()
  }
}

export interface ReportDownloadKey {
  organizationId: string
  contentId: string
  position: number
}

/** A file that can be downloaded now, without its bytes. */
export interface OpenDownload {
  fileName: string
  contentType: string
  sizeBytes: number | null
  /** Null if its bytes are stored. */
  source: ResultFileSource | null
  expiresAt: Date
  organizationName: string
}

/** Undefined once the link has expired, the report was deleted, or an admin has turned public links off. */
export async function findOpenDownload(db: Db, key: ReportDownloadKey): Promise<OpenDownload | undefined> {
  const { rows } = await sql<OpenDownload>`
    select download.file_name as "fileName", download.content_type as "contentType", download.size_bytes as "sizeBytes", download.source,
      download.expires_at as "expiresAt", organization.name as "organizationName"
    from report_downloads as download
    join report_contents as content on content.id = download.content_id
    join organizations as organization on organization.id = content.organization_id
    where download.content_id = ${key.contentId} and download.position = ${key.position}
      and content.organization_id = ${key.organizationId}
      and organization.public_links_enabled
      and download.expires_at > ${storeNow}
      and exists (
        select from report_deliveries as delivery
        join reports as report on report.id = delivery.report_id
        where delivery.content_id = content.id and report.deleted_at is null)`.execute(db)
  return rows[0]
}

/** The bytes of a stored file. Undefined if it was just removed. */
export async function readDownloadBytes(db: Db, { contentId, position }: ReportDownloadKey): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('report_downloads')
    .select('content')
    .where('content_id', '=', contentId)
    .where('position', '=', position)
    .executeTakeFirst()
  return row?.content ? Buffer.from(row.content, 'base64') : undefined
}

export async function removeExpiredDownloads(db: Db, options: { portion: number }): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from report_downloads where (content_id, position) in (
      select content_id, position from report_downloads
      where expires_at <= ${storeNow}
      order by expires_at
      limit ${options.portion}
      for update skip locked)`.execute(db)
  return Number(numAffectedRows ?? 0n)
}
