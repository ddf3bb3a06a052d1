import type { RunStatus } from '../../store/schema.ts'
import type { AgentKind } from '../agents/agent.ts'

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
