import type { Severity } from './alert.ts'
import type { ChannelKind, ChannelSettings } from './channel.ts'
import type { Field } from './result.ts'

/**
 * Words:
 * - A *report* belongs to an automation. It says what is sent after a run, to whom, and when.
 * - A *report job* is one report after one run, or a test. A worker *prepares* it: it decides whether the report is sent, lists the
 *   recipients, runs the queries once per distinct set of values, renders the documents and inserts the deliveries.
 * - A *document* is what a recipient gets, independent of how it is sent. It is made once per distinct set of values and never changes.
 * - A *report delivery* is one document for one recipient. It is *due* until it is *sent*, has *failed*, or is *dropped* because it is
 *   no longer wanted.
 * - An outside *address* belongs to no member. It must be confirmed once; only the request to confirm is sent to it before.
 *
 * A delivery is sent at least once: if a process dies between sending and recording, another sends it again. E-mails carry the same
 * Message-ID then, so mail programs treat them as one.
 */
export interface Report {
  id: string
  automationId: string
  content: ReportContent
  target: ReportTarget
  when: ReportWhen
  /** For `alert`: messages of a lower severity are not sent. Null: all are. */
  minimumSeverity: Severity | null
  /** Parameter values by recipient; null if everyone gets the same. */
  values: ReportValues | null
  attachments: AttachmentKind[]
  isEnabled: boolean
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** `summary`: what the automation's run wrote. `board`: the tiles of a board, run again for the report. */
export type ReportContent = { kind: 'summary' } | { kind: 'board'; boardShortId: string }

export type ReportTarget =
  | { kind: 'email'; recipients: Recipient[] }
  | { kind: 'channel'; channelId: string; conversation?: string }

/**
 * `notable`: only after runs that found a change. `condition`: only after runs that the automation's condition started, or whose
 * condition was met. `alert`: not the summaries of runs, but the messages of the alert.
 */
export const reportWhens = ['always', 'notable', 'condition', 'alert'] as const
export type ReportWhen = (typeof reportWhens)[number]

export type Recipient =
  | { kind: 'member'; userId: string }
  | { kind: 'address'; email: string }
  | { kind: 'admins' }
  | { kind: 'everyone' }
  /** Its members when the report is prepared. `name`: as of the last change to the report, to name a group that was deleted. */
  | { kind: 'group'; groupId: string; name?: string }

/** Parameter values of one recipient: parameters of the board. */
export type RecipientValues = Record<string, string | string[]>

/**
 * `list`: the values of each recipient are part of the report. `query`: each row of a query's result is a recipient with values, so
 * that a change in the data changes who gets what.
 */
export type ReportValues =
  | { kind: 'list'; entries: { recipient: Recipient; values: RecipientValues }[] }
  | { kind: 'query'; referenceShortId: string; emailColumn: string; columns: Record<string, string> }

export const attachmentKinds = ['csv', 'xlsx', 'png', 'pdf'] as const
export type AttachmentKind = (typeof attachmentKinds)[number]

/** `report` and `test` are documents of a report. `confirmation` asks an outside address to confirm. */
export const deliveryPurposes = ['report', 'test', 'confirmation'] as const
export type ReportDeliveryPurpose = (typeof deliveryPurposes)[number]

export const reportDeliveryStates = ['due', 'sent', 'failed', 'dropped'] as const
export type ReportDeliveryState = (typeof reportDeliveryStates)[number]

export const dropReasons = [
  'unconfirmed',
  'unsubscribed',
  'bounced',
  'not_a_member',
  'channel_disabled',
  'report_disabled',
  'already_confirmed',
] as const
export type DropReason = (typeof dropReasons)[number]

export interface ReportDelivery {
  id: string
  reportId: string
  purpose: ReportDeliveryPurpose
  /** Null for a test and for a request to confirm an address. */
  automationRunId: string | null
  /** An e-mail address, or the name of the channel. */
  recipient: string
  values: RecipientValues | null
  contentId: string
  state: ReportDeliveryState
  dropReason: DropReason | null
  attempts: ReportAttempt[]
  createdAt: Date
  /** Null once it is no longer due. */
  nextAttemptAt: Date | null
  endedAt: Date | null
}

export interface ReportAttempt {
  /** ISO 8601. */
  at: string
  outcome: SendOutcome['kind']
  /** What the receiver said, for people. */
  detail: string | null
}

/** `isChannelBroken`: no other delivery would succeed either, because the receiver has revoked the access. */
export type SendOutcome =
  | { kind: 'sent'; detail?: string }
  | { kind: 'refused_for_now'; detail: string; retryAfterMs?: number }
  | { kind: 'refused_for_good'; detail: string; isChannelBroken: boolean }

/** The rendered report. Links are absolute. */
export interface ReportDocument {
  title: string
  /** One line, shown by mail programs beside the title. */
  preview: string
  /** The permalink of the board or of the chat. */
  link: string
  /** ISO 8601. */
  sentAt: string
  sections: ReportSection[]
  /** Attachments that are too large to send. The links expire. */
  downloads?: ReportDownload[]
  /** Said at the end, in small print. */
  note?: string
}

export type ReportSection =
  /** `figures`: positions in `markdown`, each with the link of its proof. */
  | { kind: 'text'; markdown: string; figures: { start: number; end: number; link: string }[] }
  /** `imageId`: a PNG among the images of the content. */
  | { kind: 'chart'; title: string; link: string; imageId: string; alt: string }
  /** `rows`: the first `documentRows` of `rowCount`. */
  | { kind: 'table'; title: string; link: string; fields: Field[]; rows: unknown[][]; rowCount: number }
  | { kind: 'number'; title: string; link: string; text: string; change?: string }
  /** A tile that could not be run: people learn that it is missing, and why. */
  | { kind: 'failure'; title: string; link: string; reason: string }

/** A file that is too large to send, as a link that works without signing in until it expires. */
export interface ReportDownload {
  fileName: string
  link: string
  /** Unknown for a file that is written while it is downloaded. */
  sizeBytes?: number
  /** ISO 8601. */
  expiresAt: string
}

/** A file that a document links to. It is stored, or written from results while it is downloaded. */
export interface LinkedFile {
  fileName: string
  contentType: string
  content: { kind: 'stored'; bytes: Uint8Array } | ResultFileSource
  expiresAt: Date
}

/** `csv`: the result of one run. `xlsx`: a workbook with a sheet for each run. */
export type ResultFileSource =
  | { kind: 'csv'; runId: string }
  | { kind: 'xlsx'; sheets: { title: string; runId: string }[] }

export interface ReportFile {
  fileName: string
  contentType: string
  bytes: Uint8Array
}

/** A document with everything it shows. */
export interface RenderedReport {
  document: ReportDocument
  /** PNG, by `imageId`. */
  images: ReadonlyMap<string, Uint8Array>
  attachments: ReportFile[]
}

/** A report as it is rendered: its files are not linked yet, because their links name the document that they belong to. */
export interface UnlinkedReport extends RenderedReport {
  linkedFiles: LinkedFile[]
}

/** Where one delivery goes, with what is needed to send it. */
export type DeliveryTarget =
  | {
      kind: 'email'
      address: string
      /** For `List-Unsubscribe` and the link in the text; null for a request to confirm. Accepts a POST without a session. */
      unsubscribeUrl: string | null
    }
  | {
      kind: 'channel'
      organizationId: string
      channelId: string
      channelKind: ChannelKind
      settings: ChannelSettings
      secret: string | null
      conversation?: string
    }

/** Before an outside address is sent anything else, its owner follows the link of a request to confirm. */
export const addressStates = ['unconfirmed', 'confirmed', 'bounced'] as const
export type AddressState = (typeof addressStates)[number]

export interface ReportAddress {
  email: string
  state: AddressState
  requestedAt: Date
  confirmedAt: Date | null
}

export const documentRows = 20

export const reportLimits = {
  reports: 20,
  recipients: 1_000,
  /** Rows of a query that gives values, and entries of a list. */
  valueEntries: 5_000,
  /** Different sets of values in one job: each is a run of every tile. */
  distinctValues: 500,
  /** All attachments of a message together; larger files become links. */
  attachmentBytes: 10 * 1024 * 1024,
  /** A link to a file ends with the results that the file is written from, and after this time at the latest. */
  linkLifetimeMs: 7 * 24 * 3600_000,
} as const
