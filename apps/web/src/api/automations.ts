import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AgentKind, type AutomationRun, isAtWork, type RunStatus } from './automation-runs.ts'
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

const lookEveryMs = 2000

/** Begins every key of what is kept about automations: whoever changed one has them all asked for anew. */
export const automationsKey = ['automations'] as const

export const automationsOptions = infiniteQueryOptions({
  queryKey: [...automationsKey, 'list'],
  queryFn: ({ pageParam: cursor, signal }) => listAutomations({ signal, ...(cursor !== undefined && { cursor }) }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isRunning)) ? lookEveryMs : false,
})

export const automationOptions = (id: string) =>
  queryOptions({
    queryKey: [...automationsKey, 'one', id],
    queryFn: ({ signal }) => getAutomation(id, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? lookEveryMs : false),
  })

export const automationRunsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...automationsKey, 'runs', id],
    queryFn: ({ pageParam: cursor, signal }) =>
      listAutomationRuns(id, { signal, ...(cursor !== undefined && { cursor }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isAtWork)) ? lookEveryMs : false,
  })

export const schedulePreviewOptions = (schedule: Schedule) =>
  queryOptions({
    queryKey: ['schedule preview', schedule],
    queryFn: ({ signal }) => previewSchedule(schedule, signal),
    staleTime: 60_000,
    retry: false,
  })

const isRunning = ({ latestRun }: Automation) => latestRun !== null && isAtWork(latestRun)
