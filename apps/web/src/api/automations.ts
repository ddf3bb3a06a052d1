import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { isAtWork } from './automation-runs.ts'
import type { Automation, AutomationChange, Condition, NewAutomation, Schedule } from './generated/schemas.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'

export type { AlertChange, AlertStatus, AlertTest, Automation, Backtest, Comparison, Condition, ConditionState, ModelBacktest, ModelSummary, MuteWindow, Schedule, Severity } from './generated/schemas.ts'
export { comparisons } from './generated/values.ts'

/** All fields of an automation that a person can edit. */
export type AutomationContent = Required<NewAutomation> & { condition: Condition | null }

export const listAutomations = ({ signal, ...query }: PageOptions) => request('GET /automations', { query, signal })

export const getAutomation = (id: string, signal: AbortSignal) => request('GET /automations/{id}', { params: { id }, signal })

export const createAutomation = (body: NewAutomation) => request('POST /automations', { body })

export const editAutomation = (id: string, body: AutomationChange) =>
  request('PATCH /automations/{id}', { params: { id }, body })

export const deleteAutomation = (id: string) => request('DELETE /automations/{id}', { params: { id } })

export const runAutomation = (id: string) => request('POST /automations/{id}/runs', { params: { id } })

/** Sends no messages until then; null ends a snooze. */
export const snoozeAlert = (id: string, until: Date | null) =>
  request('POST /automations/{id}/snooze', { params: { id }, body: { until: until?.toISOString() ?? null } })

/** Newest first. */
export const listAutomationRuns = (id: string, { signal, ...query }: PageOptions) =>
  request('GET /automations/{id}/runs', { params: { id }, query, signal })

/** The next times of a schedule that has not been saved yet. */
export const previewSchedule = async (body: Schedule, signal: AbortSignal) =>
  (await request('POST /schedules/preview', { body, signal })).times

const pollMs = 2000

/** The prefix of all query keys about automations. Invalidate it after any change. */
export const automationsKey = ['automations'] as const

export const automationsOptions = infiniteQueryOptions({
  queryKey: [...automationsKey, 'list'],
  queryFn: ({ pageParam: cursor, signal }) => listAutomations({ signal, cursor }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(isRunning)) ? pollMs : false,
})

export const automationOptions = (id: string) =>
  queryOptions({
    queryKey: [...automationsKey, 'one', id],
    queryFn: ({ signal }) => getAutomation(id, signal),
    refetchInterval: ({ state }) => (state.data && isRunning(state.data) ? pollMs : false),
  })

export const automationRunsOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...automationsKey, 'runs', id],
    queryFn: ({ pageParam: cursor, signal }) => listAutomationRuns(id, { signal, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isAtWork)) ? pollMs : false,
  })

/** The changes of an alert's state, newest first. */
export const alertChangesOptions = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...automationsKey, 'alert changes', id],
    queryFn: ({ pageParam: before, signal }) =>
      request('GET /automations/{id}/alert-changes', { params: { id }, query: before === undefined ? {} : { before }, signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.nextBefore,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
  })

export const backtestKey = ['backtest']

/** What a condition that is not saved would have done over the kept results. Superseded requests are cancelled. */
export const backtestOptions = (condition: Condition) =>
  queryOptions({
    queryKey: [...backtestKey, condition],
    queryFn: ({ signal }) => request('POST /automations/backtest', { body: { condition }, signal }),
    staleTime: 60_000,
    retry: false,
    // Results are read some at a time, and those of the last days filled are stored after the fill has completed.
    refetchInterval: ({ state: { data } }) => {
      if (data && data.remaining > 0) return 200
      return data && (data.fill?.state === 'due' || data.storingCount > 0) ? pollMs : false
    },
  })

export const startHistoryFill = (shortId: string, body: { parameter: string; days: number }) =>
  request('POST /references/{shortId}/history-fill', { params: { shortId }, body })
export const stopHistoryFill = (shortId: string) => request('DELETE /references/{shortId}/history-fill', { params: { shortId } })

/** The summaries that the digest would have written over the kept results, newest first. */
export const digestBacktestOptions = (references: string[], schedule: Schedule | null) =>
  infiniteQueryOptions({
    queryKey: ['digest backtest', references, schedule],
    queryFn: ({ pageParam: before, signal }) =>
      request('POST /automations/digest-backtest', { body: { references, schedule, ...(before !== undefined && { before }) }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextBefore,
    select: ({ pages }) => ({ count: pages[0]!.count, summaries: pages.flatMap(({ summaries }) => summaries) }),
    staleTime: 60_000,
    retry: false,
  })

/** Which past summaries the model can write, and what they would cost. */
export const modelBacktestOptions = (id: string) =>
  queryOptions({
    queryKey: [...automationsKey, 'model backtest', id],
    queryFn: ({ signal }) => request('GET /automations/{id}/model-backtest', { params: { id }, signal }),
    retry: false,
  })

export const writePastSummary = (id: string, body: { at: string; instructions?: string }, signal: AbortSignal) =>
  request('POST /automations/{id}/model-backtest', { params: { id }, body, signal })

export const schedulePreviewOptions = (schedule: Schedule) =>
  queryOptions({
    queryKey: ['schedule preview', schedule],
    queryFn: ({ signal }) => previewSchedule(schedule, signal),
    staleTime: 60_000,
    retry: false,
  })

const isRunning = ({ latestRun }: Automation) => latestRun !== null && isAtWork(latestRun)
