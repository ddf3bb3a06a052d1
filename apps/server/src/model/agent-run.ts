import type { RunStatus } from './run.ts'
import type { DeliveryState } from './delivery.ts'
import type { EventContent } from './event.ts'
import type { EventType } from './event-type.ts'

/**
 * An *agent run* is one task for an agent: the run of an automation, or the answer to a question that a person asked in a chat.
 * pending → running → completed | failed; stopped before it begins, pending → failed. Nothing leaves completed or failed.
 *
 * - A worker claims it with a *lease*, which it renews while it lives. When the lease expires the run is pending again, and
 *   whoever claims it next begins anew, up to three times; then it fails.
 * - Its end, the last message of its chat, its event and the event's deliveries are one transaction.
 */
export interface AgentRun {
  id: string
  organizationId: string
  /** Null for an answer in a chat. */
  automationId: string | null
  /** Null with it. */
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
  /** The time that was due, and how many more had passed before the run was requested; for a schedule. */
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

export const agentRunTriggers = ['schedule', 'condition', 'person', 'api', 'question'] as const
export type AgentRunTrigger = (typeof agentRunTriggers)[number]

export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** How often the model was asked. */
  steps: number
}

/** Later than this after its time, a run says that it is late. */
export const lateAfterMs = 60_000

/**
 * An *agent* carries out an agent run: it looks at data, writes what it does into the chat, and ends with a summary.
 *
 * - `digest` needs no model: it runs the automation's references and says what changed since the last time.
 * - `model` asks the model that the organization has set up, and gives it tools.
 *
 * An agent is called anew when the worker that carried it out before died, so it must bear to begin again.
 */
export const agentKinds = ['digest', 'model'] as const
export type AgentKind = (typeof agentKinds)[number]

/** A run with the event that told the world of its end. */
export interface AgentRunInFull extends AgentRun {
  event: AgentRunEvent | null
}

export interface AgentRunEvent {
  id: string
  type: EventType
  createdAt: Date
  data: EventContent['data']
  /** To endpoints that have not been deleted since. */
  deliveries: { id: string; endpointId: string; url: string; state: DeliveryState }[]
}
