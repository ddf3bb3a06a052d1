import type { RunStatus } from './run.ts'
import type { DeliveryState } from './delivery.ts'
import type { EventData, RunEventType } from './event-type.ts'

/**
 * An *agent run* is one task for an agent: a run of an automation, or the answer to a question of a chat or of an
 * evaluation. pending → running →
 * completed | failed; if stopped before it starts, pending → failed. Nothing leaves completed or failed.
 *
 * - A worker claims it with a *lease*, which it renews while it lives. When the lease expires the run is pending again, and the
 * next
 *   worker starts over, up to three times in all; then the run fails.
 * - Its end, the last message of its chat, its event and the event's deliveries are one transaction.
 */
export interface AgentRun {
  id: string
  organizationId: string
  /** Null for an answer in a chat. */
  automationId: string | null
  /** Null if `automationId` is. */
  automationName: string | null
  chatId: string
  chatShortId: string
  agent: AgentKind
  status: RunStatus
  trigger: AgentRunTrigger
  /** Who or what caused it: `user_…`, `key_…` or `automation_…`. */
  triggerId: string
  instructions: string
  requestedAt: Date
  /** For a schedule: the time that was due, and how many more had passed before the run was requested. */
  dueAt: Date | null
  missedCount: number
  startedAt: Date | null
  endedAt: Date | null
  /** Plain text, as the event carries it. */
  summary: string | null
  failureReason: string | null
  /** Whether a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  eventId: string | null
  usage: ModelUsage | null
}

/** The right to carry out an agent run. Every claim gets a new `leaseNumber`, even the next one by the same worker. */
export interface AgentRunLease {
  runId: string
  workerId: string
  leaseNumber: number
}

export const agentRunTriggers = ['schedule', 'condition', 'person', 'api', 'question', 'evaluation'] as const
export type AgentRunTrigger = (typeof agentRunTriggers)[number]

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** How many times the model was called. */
  steps: number
}

/** A run that starts later than this after its due time says that it is late. */
export const lateAfterMs = 60_000

/**
 * An *agent* carries out an agent run: it reads data, records what it does in the chat, and ends with a summary.
 *
 * - `digest` needs no model: it runs the automation's references and reports what changed since the last run.
 * - `model` uses the organization's model and gives it tools.
 *
 * If a worker dies, another calls the agent again from the start, so an agent must tolerate starting over.
 */
export const agentKinds = ['digest', 'model'] as const
export type AgentKind = (typeof agentKinds)[number]

/** A run with the event that reported its end. */
export interface AgentRunInFull extends AgentRun {
  event: AgentRunEvent | null
}

export interface AgentRunEvent {
  id: string
  type: RunEventType
  createdAt: Date
  data: EventData<RunEventType>
  /** Only deliveries to endpoints that have not been deleted since. */
  deliveries: { id: string; endpointId: string; url: string; state: DeliveryState }[]
}
