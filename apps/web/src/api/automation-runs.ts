import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type AgentKind = 'digest' | 'model'
export type RunStatus = 'pending' | 'running' | 'completed' | 'failed'
export type Trigger = 'schedule' | 'condition' | 'person' | 'api' | 'question'

/** What the run of an automation and the answer to a question have in common: an agent at work, or that was. */
export interface AgentRun {
  id: string
  status: RunStatus
  agent: AgentKind
  trigger: Trigger
  requestedAt: string
  startedAt: string | null
  endedAt: string | null
  /** Why it failed. */
  reason: string | null
}

export interface AutomationRun extends AgentRun {
  automationId: string
  automationName: string
  triggerId: string
  dueAt: string | null
  missedCount: number
  isLate: boolean
  /** Plain text. */
  summary: string | null
  chatUrl: string
  chatShortId: string
  usage: { inputTokens: number; outputTokens: number; steps: number } | null
}

export interface AutomationRunInFull extends AutomationRun {
  event: PublishedEvent | null
}

/** What endpoints are told of a run's end, and whom it goes to. */
export interface PublishedEvent {
  id: string
  type: 'automation.run.completed' | 'automation.run.failed'
  createdAt: string
  data: Record<string, unknown>
  deliveries: { id: string; endpointId: string; url: string; state: DeliveryState }[]
}

export type DeliveryState = 'pending' | 'delivered' | 'exhausted' | 'held'

export const isAtWork = (run: { status: RunStatus }) => run.status === 'pending' || run.status === 'running'

export const getAutomationRun = (id: string, signal: AbortSignal) =>
  request<AutomationRunInFull>(`/automation-runs/${encodeURIComponent(id)}`, { signal })

export const stopAutomationRun = (id: string) =>
  request<AutomationRun>(`/automation-runs/${encodeURIComponent(id)}/stop`, { method: 'POST' })

const lookEveryMs = 5000

/** Looked at again while what it published is on its way. */
export const automationRunOptions = (id: string) =>
  queryOptions({
    queryKey: ['automation runs', id],
    queryFn: ({ signal }) => getAutomationRun(id, signal),
    refetchInterval: ({ state }) =>
      state.data?.event?.deliveries.some((delivery) => delivery.state === 'pending') ? lookEveryMs : false,
  })
