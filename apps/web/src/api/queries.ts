import { queryOptions } from '@tanstack/react-query'
import type { ParameterDefinition } from './references.ts'
import { request } from './request.ts'
import type { ParameterValues, Run } from './runs.ts'

/** A query's SQL never changes: other SQL is another query. */
export interface Query {
  id: string
  sql: string
  analyticalDatabaseConfigId: string
  createdBy: string
  createdAt: string
  updatedAt: string
  /** The references that point to it. */
  references: { shortId: string; title: string }[]
}

export const getQuery = (queryId: string, signal: AbortSignal) => request<Query>(`/queries/${queryId}`, { signal })

export const queryOptionsOf = (queryId: string) =>
  queryOptions({ queryKey: ['queries', queryId], queryFn: ({ signal }) => getQuery(queryId, signal) })

export const storeQuery = (input: { sql: string; analyticalDatabaseConfigId: string }) =>
  request<Query>('/queries', { method: 'POST', body: input })

/** Runs it with definitions of the caller's own, as one does while it is still being written. */
export const runQuery = (queryId: string, input: { parameterValues: ParameterValues; parameters: ParameterDefinition[] }) =>
  request<Run>(`/queries/${queryId}/runs`, { method: 'POST', body: input })
