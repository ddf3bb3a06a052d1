import { readRawRows } from '../../results/read-rows.ts'
import { writeXlsx, xlsxContentType } from '../../results/downloads/xlsx/write-xlsx.ts'
import { fileNameOf } from '../results/downloads.ts'
import { cachedResultOf } from '../results/results.ts'
import type { AttachmentWriter } from './attachment-writers.ts'
import { linkExpiry, readUpTo } from './attachments.ts'
import type { SectionDeps } from './render-section.ts'

/** A workbook with one sheet for each result. */
export function makeXlsxWriter(deps: SectionDeps): AttachmentWriter {
  return async ({ title, results }, { maxBytes }) => {
    if (results.length === 0) return { files: [], linkedFiles: [] }
    const found = results.map((each) => ({ ...each, result: cachedResultOf(deps, each.run) }))
    const sheets = found.map((each) => ({ title: each.title, open: async () => readRawRows(await each.result.open()) }))
    const about = { fileName: `${fileNameOf(title) || 'Report'}.xlsx`, contentType: xlsxContentType }
    const bytes = await readUpTo(writeXlsx(sheets), maxBytes)
    if (bytes) return { files: [{ ...about, bytes }], linkedFiles: [] }
    const content = { kind: 'xlsx', sheets: found.map(({ title: name, run }) => ({ title: name, runId: run.id })) } as const
    return { files: [], linkedFiles: [{ ...about, content, expiresAt: linkExpiry(deps.clock, found.map(({ result }) => result)) }] }
  }
}
