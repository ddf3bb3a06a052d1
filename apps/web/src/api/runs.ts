import { readFirstRows, type FirstRows } from './first-rows.ts'
import { open, request } from './request.ts'

export type ParameterValues = Record<string, string | number | boolean>

export interface Run {
  id: string
  queryId: string
  status: 'pending' | 'running' | 'completed' | 'failed'
  runAt: string
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  triggerId: string
  parameterValues: ParameterValues
  /** The exact text that is, or was, executed. */
  renderedSql: string
  failureReason: string | null
  rowCount: number | null
}

export const isEnded = (run: Run) => run.status === 'completed' || run.status === 'failed'

export const getRun = (runId: string, signal: AbortSignal) => request<Run>(`/runs/${runId}`, { signal })

/** The latest runs of a query, newest first. */
export const listRuns = async (queryId: string, signal?: AbortSignal) =>
  (await request<{ items: Run[] }>(`/queries/${queryId}/runs`, { ...(signal && { signal }) })).items

export const stopRun = (runId: string) => request<Run>(`/runs/${runId}/cancel`, { method: 'POST' })

/** A run's own result, rather than its query's latest: somebody else may have run the query since, with other values. */
export const resultAddress = (runId: string) => `/app/api/runs/${runId}/result`

export async function getFirstRows(runId: string, options: { limit: number; signal: AbortSignal }): Promise<FirstRows> {
  const response = await open(`/runs/${runId}/result`, { signal: options.signal })
  return readFirstRows(response.body!, options.limit)
}
