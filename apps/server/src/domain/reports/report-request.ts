import type { Report } from '../../model/report.ts'

/** What every document needs, whatever it shows. */
export interface ReportRequest {
  /** Results of queries that started before this are too old. */
  resultsSince: Date
  attachments: Report['attachments']
  /** Larger files are linked instead of attached. */
  attachmentMaxBytes: number
  note: string
  signal: AbortSignal
}
