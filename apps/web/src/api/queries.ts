import { queryOptions } from '@tanstack/react-query'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { QueryInFull } from './generated/schemas.ts'

export const queryOptionsOf = (queryId: string) =>
  queryOptions({
    queryKey: ['queries', queryId],
    queryFn: ({ signal }) => request('GET /queries/{queryId}', { params: { queryId }, signal }),
  })

export const storeQuery = (body: Body<'POST /queries'>) => request('POST /queries', { body })

/** How much a query would read. Nothing is stored or run. */
export const estimateQuery = (
  { databaseId: id, ...body }: Required<Body<'POST /databases/{id}/estimate'>> & { databaseId: string },
  signal: AbortSignal,
) => request('POST /databases/{id}/estimate', { params: { id }, body, signal })

/** Runs a query with the given parameter definitions, as the editor does before they are saved. */
export const runQuery = (queryId: string, body: Required<Body<'POST /queries/{queryId}/runs'>>) =>
  request('POST /queries/{queryId}/runs', { params: { queryId }, body })
