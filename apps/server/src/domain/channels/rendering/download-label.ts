import type { ReportDownload } from '../../../model/report.ts'
import { shownTime } from './shown-time.ts'

/** A message has room for this many links. */
const listedMax = 20

/** The files that a message links to, and a line about those for which it has no room. */
export function listDownloads(files: readonly ReportDownload[] = []): { listed: readonly ReportDownload[]; rest: string | null } {
  const unlisted = files.length - listedMax
  return { listed: files.slice(0, listedMax), rest: unlisted > 0 ? `${unlisted} more ${unlisted === 1 ? 'file' : 'files'} in Querypost` : null }
}

/** "sales.pdf (12 MB, until Nov 23, 2026, 08:00 UTC)", in two parts: the second is not linked. */
export function downloadLabel({ fileName, sizeBytes, expiresAt }: ReportDownload): { name: string; detail: string } {
  const size = sizeBytes === undefined ? '' : `${shownSize(sizeBytes)}, `
  return { name: fileName, detail: `(${size}until ${shownTime(expiresAt)})` }
}

const shownSize = (bytes: number) => (bytes < 1024 ** 2 ? `${Math.ceil(bytes / 1024)} kB` : `${Math.round(bytes / 1024 ** 2)} MB`)
