import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DownloadFormat } from './generated/schemas.ts'
import { operationUrl } from './operations.ts'
import { open, request } from './request.ts'

export type { ChangeBreakdown, ChangedRow, ExplainedChange, ExplainedStep, HistorySettings, HistoryUse, KeptResult, PastBoard, PastReference, PastResult, ResultComparison } from './generated/schemas.ts'

/** The kept results of a query, newest first. */
export const keptResultsOptions = (shortId: string) =>
  infiniteQueryOptions({
    queryKey: ['references', shortId, 'results'],
    queryFn: ({ signal, pageParam: cursor }) =>
      request('GET /references/{shortId}/results', { params: { shortId }, query: { cursor, limit: 100 }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => page.nextCursor,
    select: ({ pages }) => pages.flatMap(({ items }) => items),
    staleTime: 0,
  })

export const openKeptResult = (shortId: string, runId: string, signal: AbortSignal) =>
  open('GET /references/{shortId}/results/{runId}', { params: { shortId, runId }, signal })

export const keptResultFileUrl = (shortId: string, runId: string, format: DownloadFormat) =>
  operationUrl('GET /references/{shortId}/results/{runId}', { params: { shortId, runId }, query: { format } })

export const pinResult = (shortId: string, runId: string) => request('PUT /references/{shortId}/results/{runId}/pin', { params: { shortId, runId } })
export const unpinResult = (shortId: string, runId: string) => request('DELETE /references/{shortId}/results/{runId}/pin', { params: { shortId, runId } })

/** What a query showed at a time. */
export const pastReferenceOptions = (shortId: string, at: string) =>
  queryOptions({
    queryKey: ['references', shortId, 'past', at],
    queryFn: ({ signal }) => request('GET /references/{shortId}/past', { params: { shortId }, query: { at }, signal }),
  })

/** A board as it was at a time, and what its queries showed. */
export const pastBoardOptions = (shortId: string, at: string) =>
  queryOptions({
    queryKey: ['boards', shortId, 'past', at],
    queryFn: ({ signal }) => request('GET /boards/{shortId}/past-results', { params: { shortId }, query: { at }, signal }),
  })

export interface ComparedRuns {
  from: string
  to: string
  keyColumns?: string[]
}

/** How many changed rows a page shows. */
export const shownChanges = 100

export const comparisonOptions = (shortId: string, compared: ComparedRuns) =>
  queryOptions({
    queryKey: ['references', shortId, 'compare', compared],
    queryFn: ({ signal }) =>
      request('GET /references/{shortId}/compare', { params: { shortId }, query: { ...compared, limit: shownChanges }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const whyOptions = (shortId: string, compared: ComparedRuns & { measure?: string; denominator?: string }) =>
  queryOptions({
    queryKey: ['references', shortId, 'why', compared],
    queryFn: ({ signal }) => request('GET /references/{shortId}/why', { params: { shortId }, query: compared, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })

export const historySettingsOptions = queryOptions({
  queryKey: ['result-history'],
  queryFn: ({ signal }) => request('GET /result-history', { signal }),
})

export const changeHistorySettings = (body: { days?: number; count?: number; bytes?: number }) => request('PATCH /result-history', { body })

export const historyUseOptions = infiniteQueryOptions({
  queryKey: ['result-history', 'use'],
  queryFn: ({ signal, pageParam: cursor }) => request('GET /result-history/use', { query: { cursor, limit: 20 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
})

export const referenceHistoryOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['references', shortId, 'history-settings'],
    queryFn: ({ signal }) => request('GET /references/{shortId}/history-settings', { params: { shortId }, signal }),
  })

export const changeReferenceHistory = (shortId: string, body: { days: number | null; count: number | null }) =>
  request('PATCH /references/{shortId}/history-settings', { params: { shortId }, body })
