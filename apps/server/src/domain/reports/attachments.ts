import { type AttachmentKind, type LinkedFile, type ReportFile, reportLimits } from '../../model/report.ts'
import type { Clock } from '../../ports/clock.ts'
import { downloadName, fileNameOf, openStreamed } from '../results/downloads.ts'
import { type CachedResult, cachedResultOf } from '../results/results.ts'
import { Refusal } from '../refusal.ts'
import type { AttachmentSource, AttachmentWriter, AttachmentWriters, WrittenFiles } from './attachment-writers.ts'
import type { SectionDeps } from './render-section.ts'

/** The files that are sent are at most `maxBytes` together. */
export async function writeAttachments(
  writers: AttachmentWriters,
  source: AttachmentSource,
  options: { kinds: readonly AttachmentKind[]; maxBytes: number; signal: AbortSignal },
): Promise<WrittenFiles> {
  const files: ReportFile[] = []
  const linkedFiles: LinkedFile[] = []
  let restBytes = options.maxBytes
  for (const kind of options.kinds) {
    const written = await writers[kind]?.(source, { maxBytes: restBytes, signal: options.signal })
    if (!written) throw new Refusal('invalid_request', `Attachments of the kind ${kind} are not supported. Remove it from the report.`)
    files.push(...written.files)
    linkedFiles.push(...written.linkedFiles)
    restBytes -= written.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
  return { files, linkedFiles }
}

export const csvContentType = 'text/csv; charset=utf-8'
export const pngContentType = 'image/png'
export const pdfContentType = 'application/pdf'

/** One file for each result. */
export function makeCsvWriter(deps: SectionDeps): AttachmentWriter {
  return async ({ results }, { maxBytes, signal }) => {
    const files: ReportFile[] = []
    const linkedFiles: LinkedFile[] = []
    let restBytes = maxBytes
    for (const { title, run } of results) {
      const result = cachedResultOf(deps, run)
      const about = { fileName: downloadName(run, [{ title }], 'csv'), contentType: csvContentType }
      const bytes = await readUpTo(await openStreamed(result, { format: 'csv', isRaw: false, signal }), restBytes)
      if (bytes) files.push({ ...about, bytes })
      else linkedFiles.push({ ...about, content: { kind: 'csv', runId: run.id }, expiresAt: linkExpiry(deps.clock, [result]) })
      restBytes -= bytes?.length ?? 0
    }
    return { files, linkedFiles }
  }
}

/** An image of the board. A summary has none. */
export const makePngWriter =
  (deps: { clock: Clock }): AttachmentWriter =>
  async ({ title, boardImage }, { maxBytes }) =>
    boardFile(deps, { fileName: `${fileNameOf(title) || 'Board'}.png`, contentType: pngContentType }, await boardImage?.(), maxBytes)

/** The board on A4 pages. A summary has none. */
export const makePdfWriter =
  (deps: { clock: Clock }): AttachmentWriter =>
  async ({ title, boardPdf }, { maxBytes }) =>
    boardFile(deps, { fileName: `${fileNameOf(title) || 'Board'}.pdf`, contentType: pdfContentType }, await boardPdf?.(), maxBytes)

function boardFile(
  { clock }: { clock: Clock },
  about: { fileName: string; contentType: string },
  bytes: Uint8Array | undefined,
  maxBytes: number,
): WrittenFiles {
  if (!bytes) return { files: [], linkedFiles: [] }
  if (bytes.length <= maxBytes) return { files: [{ ...about, bytes }], linkedFiles: [] }
  return { files: [], linkedFiles: [{ ...about, content: { kind: 'stored', bytes }, expiresAt: linkExpiry(clock, []) }] }
}

/** A file that is written from results lasts as long as the first of them. */
export function linkExpiry(clock: Clock, results: readonly Pick<CachedResult, 'expiresAt'>[]): Date {
  const latestMs = clock.now().getTime() + reportLimits.linkLifetimeMs
  return new Date(Math.min(latestMs, ...results.map(({ expiresAt }) => expiresAt.getTime())))
}

/** Undefined if there is more; the rest is not read. */
export async function readUpTo(stream: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of stream) {
    sizeBytes += piece.length
    if (sizeBytes > maxBytes) return undefined
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
