import type { ChannelKind, ChannelSettings } from './channel.ts'
import type { Role } from './people.ts'
import type {
  RecipientValues,
  Report,
  ReportAttempt,
  ReportDeliveryPurpose,
  UnlinkedReport,
} from './report.ts'

/** A report job leased to one worker. */
export interface ClaimedReportJob {
  id: string
  leaseNumber: number
  /** 1 for the first attempt. One more than the maximum: the job is claimed only to record that it failed. */
  attemptNumber: number
  organizationId: string
  report: Omit<Report, 'createdAt' | 'updatedAt'>
  automationName: string
  /** The creator of the report, on whose behalf queries run. The role is null if they left the organization. */
  creatorRole: Role | null
  /** Null for a test, and for the message of an alert. */
  agentRunId: string | null
  /** The number of an alert's message, if the job sends one. */
  alertNumber: number | null
  /** Set for a test: who asked for it. */
  requestedBy: { userId: string; email: string; role: Role | null } | null
  /** The test goes to `requestedBy` instead of the report's target. */
  isForRequester: boolean
  isNotable: boolean
  isConditionMet: boolean
  resultsSince: Date
  requestedAt: Date
  /** The trace in which it was requested, if any. */
  traceparent?: string | null
}

/** A rendered document under the id by which deliveries refer to it. */
export interface NewReportContent extends UnlinkedReport {
  id: string
}

export interface NewReportDelivery {
  id: string
  purpose: ReportDeliveryPurpose
  /** An e-mail address in lower case, or the name of the channel. */
  recipient: string
  userId: string | null
  channelId: string | null
  values: RecipientValues | null
  contentId: string
  /** How long after it is inserted it is due; 0 unless given. */
  dueInMs?: number
}

/** A report ready to be sent. */
export interface PreparedReport {
  contents: NewReportContent[]
  deliveries: NewReportDelivery[]
}

/** What becomes of a report job after an attempt to prepare it. */
export type ReportJobDecision =
  /** `problems`: sets of values that could not be rendered, whose recipients get nothing. */
  | ({ state: 'prepared'; problems: string[] } & PreparedReport)
  | { state: 'skipped'; reason: string }
  | { state: 'failed'; reason: string }
  /** To be retried this long after the attempt ended. */
  | { state: 'due'; waitMs: number; reason: string }
  /** Interrupted by the service itself, so the attempt does not count. */
  | { state: 'given_back' }

/** A report delivery leased to one worker, with everything but its content. */
export interface ClaimedReportDelivery {
  id: string
  leaseNumber: number
  /** 1 for the first attempt. One more than the maximum: it is claimed only to record that it failed. */
  attemptNumber: number
  /** How often someone has sent it again. */
  resendCount: number
  organizationId: string
  reportId: string
  purpose: ReportDeliveryPurpose
  recipient: string
  contentId: string
  /** The trace in which it was prepared, if any. */
  traceparent?: string | null
  /** Null for an e-mail. */
  channel: {
    id: string
    kind: ChannelKind
    settings: ChannelSettings
    sealedSecret: Uint8Array | null
    conversation: string | null
  } | null
}

/** What becomes of a report delivery after an attempt. */
export type ReportDeliveryDecision =
  | { state: 'sent' }
  /** `isTargetBroken`: the address does not exist, or the channel has revoked its access. */
  | { state: 'failed'; isTargetBroken: boolean }
  | { state: 'due'; waitMs: number }
  | { state: 'given_back' }

export interface ReportDeliveryRecord {
  delivery: ClaimedReportDelivery
  /** Null if nothing was attempted. */
  attempt: ReportAttempt | null
  decision: ReportDeliveryDecision
  /** How long ago the attempt ended: the decision counts from then, by the store's time. */
  endedAgoMs: number
}
