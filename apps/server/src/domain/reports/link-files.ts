import type { LinkedFile, ReportDocument, ReportDownload, UnlinkedReport } from '../../model/report.ts'

/** The document with a link to each of its files. */
export function linkFiles(
  { document, linkedFiles }: Pick<UnlinkedReport, 'document' | 'linkedFiles'>,
  linkTo: (position: number) => string,
): ReportDocument {
  if (linkedFiles.length === 0) return document
  return { ...document, downloads: linkedFiles.map((file, position) => downloadOf(file, linkTo(position))) }
}

const downloadOf = ({ fileName, content, expiresAt }: LinkedFile, link: string): ReportDownload => ({
  fileName,
  link,
  ...(content.kind === 'stored' && { sizeBytes: content.bytes.length }),
  expiresAt: expiresAt.toISOString(),
})
