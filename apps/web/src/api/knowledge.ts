import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type {
  AcceptedSuggestion,
  GivenInstructions,
  GivenMetric,
  GivenSuggestion,
  GivenTableDescription,
  MetricChange,
  SuggestionState,
} from './generated/schemas.ts'
import { request } from './request.ts'

export type {
  CatalogTable,
  DbtTable,
  GivenMetric,
  Instructions,
  KnowledgeKind,
  KnowledgeVersion,
  Metric,
  Suggestion,
  SuggestionTarget,
  UsedKnowledge,
  Verification,
  VerifiedQuery,
} from './generated/schemas.ts'

export const instructionsOptions = queryOptions({
  queryKey: ['knowledge', 'instructions'],
  queryFn: async ({ signal }) => (await request('GET /knowledge/instructions', { signal })).items,
})

export const saveInstructions = (body: GivenInstructions) => request('PUT /knowledge/instructions', { body })

export const metricsOptions = queryOptions({
  queryKey: ['knowledge', 'metrics'],
  queryFn: async ({ signal }) => (await request('GET /knowledge/metrics', { signal })).items,
})

export const addMetric = (body: GivenMetric) => request('POST /knowledge/metrics', { body })

export const changeMetric = (id: string, body: MetricChange) => request('PUT /knowledge/metrics/{id}', { params: { id }, body })

export const deleteMetric = (id: string) => request('DELETE /knowledge/metrics/{id}', { params: { id } })

export const verifiedQueriesOptions = queryOptions({
  queryKey: ['knowledge', 'verified queries'],
  queryFn: async ({ signal }) => (await request('GET /knowledge/verified-queries', { signal })).items,
})

export const verifyReference = (shortId: string) => request('PUT /references/{shortId}/verification', { params: { shortId } })

export const unverifyReference = (shortId: string) => request('DELETE /references/{shortId}/verification', { params: { shortId } })

/** The tables that match a search best. Earlier results stay on the screen while new ones load. */
export const foundTablesOptions = (search: string) =>
  queryOptions({
    queryKey: ['knowledge', 'tables', search],
    queryFn: ({ signal }) => request('GET /knowledge/tables', { query: search === '' ? {} : { search }, signal }),
    placeholderData: keepPreviousData,
  })

export const describeTable = (body: GivenTableDescription) => request('PUT /knowledge/tables', { body })

export const suggestionsOptions = (state: SuggestionState) =>
  queryOptions({
    queryKey: ['knowledge', 'suggestions', state],
    queryFn: async ({ signal }) => (await request('GET /knowledge/suggestions', { query: { state }, signal })).items,
  })

export const suggestKnowledge = (body: GivenSuggestion) => request('POST /knowledge/suggestions', { body })

export const acceptSuggestion = (id: string, body: AcceptedSuggestion) =>
  request('POST /knowledge/suggestions/{id}/accept', { params: { id }, body })

export const declineSuggestion = (id: string) => request('POST /knowledge/suggestions/{id}/decline', { params: { id } })

export const knowledgeHistoryOptions = infiniteQueryOptions({
  queryKey: ['knowledge', 'history'],
  queryFn: ({ signal, pageParam }) => request('GET /knowledge/history', { query: { cursor: pageParam, limit: 20 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ nextCursor }) => nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
})

export const restoreVersion = ({ itemId, number }: { itemId: string; number: number }) =>
  request('POST /knowledge/items/{id}/restore', { params: { id: itemId }, body: { number } })
