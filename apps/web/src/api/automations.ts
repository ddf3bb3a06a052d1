import type { AgentKind, AutomationRun, RunStatus } from './automation-runs.ts'
import { type Page, pageAddress, type PageOptions } from './pages.ts'
import { request } from './request.ts'

/** Has an agent look at references, and says when. */
export interface Automation {
  id: string
  name: string
  instructions: string
  agent: AgentKind
  /** shortIds. */
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  conditionState: ConditionState | null
  enabled: boolean
  nextDueAt: string | null
  createdBy: string
  createdAt: string
  updatedAt: string
  latestRun: { id: string; status: RunStatus; requestedAt: string; endedAt: string | null; chatUrl: string } | null
}

export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string
  /** An IANA name, as Europe/Berlin. */
  timeZone: string
}

export const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const
export type Comparison = (typeof comparisons)[number]

export type Condition = { reference: string; everyTime?: boolean } & (
  | { kind: 'row_count'; comparison: Comparison; number: number }
  | { kind: 'value'; column: string; comparison: Comparison; number: number }
  | { kind: 'changed' }
)

/** What the condition found the last time. */
export interface ConditionState {
  runId: string
  isMet: boolean
  judgedAt: string
  finding: string
}

/** What a person says about an automation. */
export interface AutomationContent {
  name: string
  instructions: string
  agent: AgentKind
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  enabled: boolean
}

const automationPath = (id: string) => `/automations/${encodeURIComponent(id)}`

export const listAutomations = ({ signal, ...page }: PageOptions) =>
  request<Page<Automation>>(pageAddress('/automations', page), { ...(signal && { signal }) })

export const getAutomation = (id: string, signal: AbortSignal) => request<Automation>(automationPath(id), { signal })

export const createAutomation = (content: AutomationContent) =>
  request<Automation>('/automations', { method: 'POST', body: content })

export const editAutomation = (id: string, changes: Partial<AutomationContent>) =>
  request<Automation>(automationPath(id), { method: 'PATCH', body: changes })

export const deleteAutomation = (id: string) => request<void>(automationPath(id), { method: 'DELETE' })

export const runAutomation = (id: string) => request<AutomationRun>(`${automationPath(id)}/runs`, { method: 'POST' })

/** Newest first. */
export const listAutomationRuns = (id: string, { signal, ...page }: PageOptions) =>
  request<Page<AutomationRun>>(pageAddress(`${automationPath(id)}/runs`, page), { ...(signal && { signal }) })

/** The next times of a schedule that has not been saved yet. */
export const previewSchedule = async (schedule: Schedule, signal: AbortSignal) =>
  (await request<{ times: string[] }>('/schedules/preview', { method: 'POST', body: schedule, signal })).times
