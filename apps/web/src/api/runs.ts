import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { readFirstRows, type FirstRows } from './first-rows.ts'
import { type Page, pageAddress, type PageOptions } from './pages.ts'
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
  /** Where in `renderedSql` the fault is, where the engine said so. Both count from 1. */
  errorPosition: { line: number; column: number } | null
  rowCount: number | null
  rowsRead: number | null
  bytesRead: number | null
  /** Rows written, and how much of the work before the first row is done (0 to 100), while it is running. */
  rowCountSoFar: number | null
  progress: number | null
  resultSizeBytes: number | null
  triggeredBy: {
    kind: 'user' | 'key' | 'automation' | 'chat'
    /** Null where what caused it is not known any more. */
    name: string | null
    automationId: string | null
    chatShortId: string | null
  }
}

/** A run with what its page leads on to. */
export interface RunInFull extends Run {
  /** Those that point to its query. */
  references: { shortId: string; title: string }[]
}

export const isEnded = (run: Run) => run.status === 'completed' || run.status === 'failed'

export const getRun = (runId: string, signal: AbortSignal) => request<RunInFull>(`/runs/${encodeURIComponent(runId)}`, { signal })

export const runOptions = (runId: string) =>
  queryOptions({ queryKey: ['runs', runId], queryFn: ({ signal }) => getRun(runId, signal) })

/** The latest runs of a query, newest first. */
export const listRuns = async (queryId: string, signal?: AbortSignal) =>
  (await listRunPages(queryId, { ...(signal && { signal }) })).items

export const listRunPages = (queryId: string, { signal, ...page }: PageOptions) =>
  request<Page<Run>>(pageAddress(`/queries/${queryId}/runs`, page), { ...(signal && { signal }) })

export const runsOfQueryOptions = (queryId: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'of-query', queryId],
    queryFn: ({ signal, pageParam }) => listRunPages(queryId, { signal, limit: 20, ...(pageParam !== '' && { cursor: pageParam }) }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor,
  })

export const stopRun = (runId: string) => request<Run>(`/runs/${runId}/cancel`, { method: 'POST' })

/** A run's own result, rather than its query's latest: somebody else may have run the query since, with other values. */
export const resultAddress = (runId: string) => `/app/api/runs/${runId}/result`

export type ResultFormat = 'csv' | 'json' | 'jsonl' | 'parquet' | 'arrow'

/** The whole result as a file, named by the service. CSV is made harmless for spreadsheets unless it is wanted raw. */
export const resultFileAddress = (runId: string, format: ResultFormat, options: { isRaw?: boolean } = {}) =>
  `${resultAddress(runId)}?format=${format}${format === 'json' ? '&download=1' : ''}${options.isRaw ? '&raw=1' : ''}`

export const openResult = (runId: string, signal: AbortSignal) => open(`/runs/${runId}/result`, { signal })

export async function getFirstRows(runId: string, options: { limit: number; signal: AbortSignal }): Promise<FirstRows> {
  const response = await open(`/runs/${runId}/result`, { signal: options.signal })
  return readFirstRows(response.body!, options.limit)
}
