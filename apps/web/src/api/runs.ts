import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type FirstRows, readFirstRows } from './first-rows.ts'
import type { DownloadFormat, QueryRun } from './generated/schemas.ts'
import { operationUrl } from './operations.ts'
import type { PageOptions } from './pages.ts'
import { open, request } from './request.ts'

export type { DownloadFormat, OwnRun, QueryRun as Run, RunInFull } from './generated/schemas.ts'

export type ParameterValues = QueryRun['parameterValues']

export const isEnded = (run: Pick<QueryRun, 'status'>) => run.status === 'completed' || run.status === 'failed'

export const getRun = (runId: string, signal: AbortSignal) => request('GET /runs/{runId}', { params: { runId }, signal })

export const runOptions = (runId: string) =>
  queryOptions({ queryKey: ['runs', runId], queryFn: ({ signal }) => getRun(runId, signal) })

/** The latest runs of a query, newest first. */
export const listRuns = async (queryId: string, signal?: AbortSignal) =>
  (await listRunPages(queryId, { ...(signal && { signal }) })).items

export const listRunPages = (queryId: string, { signal, ...query }: PageOptions) =>
  request('GET /queries/{queryId}/runs', { params: { queryId }, query, signal })

export const runsOfQueryOptions = (queryId: string) =>
  infiniteQueryOptions({
    queryKey: ['runs', 'of-query', queryId],
    queryFn: ({ signal, pageParam: cursor }) => listRunPages(queryId, { signal, limit: 20, cursor }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
  })

/** The latest runs that the signed-in person started, newest first. */
export const ownRunsOptions = (limit: number) =>
  queryOptions({
    queryKey: ['runs', 'own', limit],
    queryFn: async ({ signal }) => (await request('GET /runs', { query: { limit }, signal })).items,
  })

export const stopRun = (runId: string) => request('POST /runs/{runId}/cancel', { params: { runId } })

/** The URL of the whole result as a file. CSV formulas are escaped for spreadsheets unless `isRaw`. */
export const resultFileUrl = (runId: string, format: DownloadFormat, options: { isRaw?: boolean } = {}) =>
  operationUrl('GET /runs/{runId}/result', {
    params: { runId },
    query: { format, download: format === 'json' ? '1' : undefined, raw: options.isRaw ? '1' : undefined },
  })

/** The result of this run, not the query's latest: somebody may have run the query again with other values. */
export const openResult = (runId: string, signal: AbortSignal) => open('GET /runs/{runId}/result', { params: { runId }, signal })

export async function getFirstRows(runId: string, { limit, signal }: { limit: number; signal: AbortSignal }): Promise<FirstRows> {
  const response = await openResult(runId, signal)
  return readFirstRows(response.body!, limit)
}
