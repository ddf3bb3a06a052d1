export type { AgentRunLease, AgentRunTrigger } from '../src/model/agent-run.ts'
export type { AlertMessageKind, AlertState, AlertStatus } from '../src/model/alert.ts'
export type { MessageContent } from '../src/model/chat.ts'
export type { AttemptRecord, ClaimedDelivery, ClaimOptions } from '../src/model/claimed-delivery.ts'
export type { Attempt, AttemptFailure } from '../src/model/delivery.ts'
export { type ErrorCode, errorCodes } from '../src/model/error-code.ts'
export type { AutomationRunEvent, EventContent } from '../src/model/event.ts'
export { defaultEventTypes } from '../src/domain/webhooks/events/default-events.ts'
export {
  definedEvents,
  type EventField,
  type EventFieldKind,
  type EventType,
  eventTypes,
  type EventValue,
} from '../src/model/event-type.ts'
export type { ClaimedEmail, NotificationKind } from '../src/model/notification.ts'
export type { DirectoryEntry, Move, MoveStepName, Placement, PlacementState } from '../src/model/placement.ts'
export type { DropReason, RenderedReport, SendOutcome, UnlinkedReport } from '../src/model/report.ts'
export type { ClaimedReportDelivery, ClaimedReportJob, ReportDeliveryRecord, ReportJobDecision } from '../src/model/report-work.ts'
export type { ClaimedSlackQuestion } from '../src/model/slack-question.ts'
export type { EngineResult, RowBatch } from '../src/model/result.ts'
export type { ChainLink } from '../src/model/history.ts'
