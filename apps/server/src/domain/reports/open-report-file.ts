import { Readable } from 'node:stream'
import type { ResultFileSource } from '../../model/report.ts'
import { readRawRows } from '../../results/read-rows.ts'
import { writeXlsx, xlsxContentType } from '../../results/downloads/xlsx/write-xlsx.ts'
import type { Db } from '../../store/db.ts'
import { findOpenDownload, type OpenDownload, readDownloadBytes, type ReportDownloadKey } from '../../store/reports/report-downloads-table.ts'
import { findRun } from '../../store/runs/runs-table.ts'
import { Refusal } from '../refusal.ts'
import type { ReportLinks } from '../report-links.ts'
import { openStreamed } from '../results/downloads.ts'
import { cachedResultOf, type CachedResult } from '../results/results.ts'
import { csvContentType, pdfContentType, pngContentType } from './attachments.ts'
import type { SectionDeps } from './render-section.ts'

export const reportFileTypes = [csvContentType, xlsxContentType, pngContentType, pdfContentType]

export type ReportFileDeps = SectionDeps & { db: Db; reportLinks: ReportLinks }

export interface OpenedReportFile {
  fileName: string
  contentType: string
  /** False for text, which is worth compressing. */
  isCompressed: boolean
  open(signal: AbortSignal): Promise<Readable>
}

/**
 * A file that a report links to, for anyone who has the link. The link names one file of one document; which results the file is made
 * of was decided when the document was rendered, so a link gives access to nothing else.
 */
export async function openReportFile(deps: ReportFileDeps, token: string): Promise<OpenedReportFile> {
  const key = deps.reportLinks.read(token)
  if (key.kind !== 'download') throw linkExpired()
  const { fileName, contentType, source } = await getOpenDownload(deps.db, key)
  const open = source ? await openerOf(deps, key, source) : () => openStored(deps.db, key)
  return { fileName, contentType, isCompressed: source?.kind !== 'csv', open }
}

export async function getOpenDownload(db: Db, key: ReportDownloadKey): Promise<OpenDownload> {
  const download = await findOpenDownload(db, key)
  if (!download) throw linkExpired()
  return download
}

async function openStored(db: Db, key: ReportDownloadKey): Promise<Readable> {
  const bytes = await readDownloadBytes(db, key)
  if (!bytes) throw linkExpired()
  return Readable.from([bytes], { objectMode: false })
}

async function openerOf(deps: ReportFileDeps, { organizationId }: ReportDownloadKey, source: ResultFileSource): Promise<OpenedReportFile['open']> {
  if (source.kind === 'csv') {
    const result = await resultOf(deps, { organizationId, runId: source.runId })
    return (signal) => openStreamed(result, { format: 'csv', isRaw: false, signal })
  }
  const sheets = await Promise.all(
    source.sheets.map(async ({ title, runId }) => {
      const result = await resultOf(deps, { organizationId, runId })
      return { title, open: async () => readRawRows(await result.open()) }
    }),
  )
  return async () => Readable.from(writeXlsx(sheets), { objectMode: false })
}

/** The link lasts no longer than the result, but the result may have been deleted together with its query. */
async function resultOf(deps: ReportFileDeps, key: { organizationId: string; runId: string }): Promise<CachedResult> {
  const run = await findRun(deps.db, key)
  if (!run) throw linkExpired()
  return cachedResultOf(deps, run)
}

const linkExpired = () => new Refusal('link_not_valid', 'This link has expired or was withdrawn. Ask the sender for the file.')
