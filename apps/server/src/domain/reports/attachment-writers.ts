import type { AttachmentKind, LinkedFile, ReportFile } from '../../model/report.ts'
import type { Run } from '../../model/run.ts'

/** What attachments are made of. */
export interface AttachmentSource {
  title: string
  /** The results that the document shows, in its order, without those that failed. */
  results: { title: string; run: Run }[]
  /** The board as an image; absent for a summary. */
  boardImage?: () => Promise<Uint8Array>
  /** The board on pages; absent for a summary. */
  boardPdf?: () => Promise<Uint8Array>
}

/** The files of a document: those that are sent with it, and those that it links to. */
export interface WrittenFiles {
  files: ReportFile[]
  linkedFiles: LinkedFile[]
}

/** Writes the files of one kind. A file that is larger than `maxBytes` is linked instead of sent. */
export type AttachmentWriter = (
  source: AttachmentSource,
  options: { maxBytes: number; signal: AbortSignal },
) => Promise<WrittenFiles>

/** The kinds of attachments that this service can write. */
export type AttachmentWriters = Partial<Record<AttachmentKind, AttachmentWriter>>
