export {
  agentRunAttemptsMax,
  diedNote,
  exhaustedReason,
  shutdownNote,
  stoppedBeforeReason,
  stoppedReason,
} from '../src/domain/agent-runs/agent-run-outcome.ts'
export type { Ending } from '../src/domain/agent-runs/end-agent-run.ts'
export { type Agent, AgentFailure, type AgentTask } from '../src/domain/agent-runs/agent.ts'
export type { DueTimes } from '../src/domain/automations/claim-due-times.ts'
export { nextDueAt } from '../src/domain/automations/schedule.ts'
export type { ChatWriter } from '../src/domain/agent-runs/chat-writer.ts'
export { LeaseLost } from '../src/domain/agent-runs/lease-lost.ts'
export { archiveAttemptsMax, archiveLeaseMs, archiveWaitsMs } from '../src/domain/history/archive-policy.ts'
export type { ClaimedFeed } from '../src/model/change-feed.ts'
export { newId } from '../src/domain/ids.ts'
export {
  emailAttemptsMax,
  emailLeaseMs,
  emailTooOldMs,
  emailWaitsMs,
} from '../src/domain/notifications/notification-emails.ts'
export { makeCursorCodec } from '../src/domain/pagination/cursor.ts'
export { type DirectoryCache, makeDirectoryCache, NotPlacedHere } from '../src/domain/placements/directory-cache.ts'
export {
  applyStep,
  beginMove,
  cancelMove,
  cancelSteps,
  getStep,
  isReadyToCopy,
  type MoveStep,
  moveSteps,
  noteStep,
} from '../src/domain/placements/move-steps.ts'
export { notPlaced, type PlacedOperation, permits } from '../src/domain/placements/placement-rules.ts'
export { secretHash } from '../src/domain/people/secret-hash.ts'
export { composeReport } from '../src/domain/reports/compose-report.ts'
export type { ListedRecipient } from '../src/domain/reports/list-recipients.ts'
export { valuesKey } from '../src/domain/reports/list-recipients.ts'
export { reportPaceOf } from '../src/domain/reports/report-pace.ts'
export type { TokenBucket } from '../src/domain/token-bucket.ts'
export {
  reportDeliveryAttemptsMax,
  reportDeliveryLeaseMs,
  reportDeliveryWaitsMs,
  reportJobAttemptsMax,
  reportJobLeaseMs,
} from '../src/domain/reports/report-policy.ts'
export type { SlackQuestionPorts } from '../src/domain/slack-questions/advance-question.ts'
export { slackQuestionAttemptsMax, slackQuestionLeaseMs, slackQuestionWaitsMs } from '../src/domain/slack-questions/question-policy.ts'
export { abandonedReason, transientReasons } from '../src/domain/runs/run-outcome.ts'
export { makeSealer, type Sealer } from '../src/domain/sealing.ts'
export { type Published, publishEvent } from '../src/domain/webhooks/events/publish-event.ts'
export { newSecret, signingKey } from '../src/domain/webhooks/secret.ts'
export { allowanceAtFirst, allowanceMax } from '../src/domain/webhooks/sending/allowance.ts'
export { decideDelivery, judgeExhausted } from '../src/domain/webhooks/sending/decide-delivery.ts'
export {
  deliveryAttemptsMax,
  deliveryDeadlineMs,
  deliveryJitterShareMax,
  deliveryLeaseMs,
  deliveryWaitsMs,
} from '../src/domain/webhooks/sending/delivery-policy.ts'
export { signatureHeaders } from '../src/domain/webhooks/signing.ts'
export type { ResultStore } from '../src/results/result-store.ts'
export { sampleQueriesOf } from '../src/sample/sample-queries.ts'
export type { ArchiveJobStore } from '../src/store/history/archive-jobs.ts'
export type { HistoryFillStore } from '../src/store/history/history-fills.ts'
export type { EmailStore } from '../src/store/notifications/email-store.ts'
export type { RunStore } from '../src/store/runs/run-store.ts'
export type { WorkerRegistry } from '../src/store/workers/worker-registry.ts'
export type { DeliveryStore } from '../src/store/webhooks/delivery-store.ts'
export { repeatTask } from '../src/work/repeat.ts'
export { absentForMs, lookValidMs, presenceLookMs } from '../src/work/worker-presence.ts'
export type { AgentRunStore } from '../src/workers/agent-run-store.ts'
export { type AgentRunWorkerDeps, makeAgentRunWorker } from '../src/workers/agent-run-worker.ts'
export { type ArchiveWorkerDeps, makeArchiveWorker } from '../src/workers/archive-worker.ts'
export { fillAttemptsMax, type HistoryFillWorkerDeps, makeHistoryFillWorker } from '../src/workers/history-fill-worker.ts'
export type { FeedStore } from '../src/workers/feed-store.ts'
export { type FeedWorkerDeps, makeFeedWorker } from '../src/workers/feed-worker.ts'
export type { AlertDecision } from '../src/domain/automations/alerts/decide-alert.ts'
export type { AlertEvidence, AlertWork, DecideLocked } from '../src/domain/automations/alerts/alert-work.ts'
export { makeAlertWorker, makeScheduleWorker } from '../src/workers/automation-worker.ts'
export { type DeliveryLimits, type DeliveryWorkerDeps, makeDeliveryWorker } from '../src/workers/delivery-worker.ts'
export { makeMailWorker, type MailWorkerDeps } from '../src/workers/mail-worker.ts'
export { makeReportDeliveryWorker, type ReportDeliveryWorkerDeps } from '../src/workers/report-delivery-worker.ts'
export type { TurnOptions } from '../src/store/due-in-turn.ts'
export type { ReportDeliveryStore, ReportJobStore } from '../src/workers/report-stores.ts'
export { makeReportWorker, type ReportWorkerDeps } from '../src/workers/report-worker.ts'
export { makeRunWorker, type RunWorkerDeps } from '../src/workers/run-worker.ts'
export type { SlackQuestionStore } from '../src/workers/slack-question-store.ts'
export { makeSlackQuestionWorker, type SlackQuestionWorkerDeps } from '../src/workers/slack-question-worker.ts'
