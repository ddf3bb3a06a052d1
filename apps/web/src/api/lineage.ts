import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { ReferenceLineage, TableUsers } from './generated/schemas.ts'

export const getLineage = (shortId: string, signal?: AbortSignal) =>
  request('GET /references/{shortId}/lineage', { params: { shortId }, ...(signal && { signal }) })

export const lineageOptions = (shortId: string) =>
  queryOptions({ queryKey: ['references', 'lineage', shortId], queryFn: ({ signal }) => getLineage(shortId, signal) })

/** What uses a table, or one of its columns. */
export const tableUsersOptions = (databaseId: string, of: { schema: string; table: string; column?: string }) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'users', of],
    queryFn: ({ signal }) => request('GET /databases/{id}/users', { params: { id: databaseId }, query: of, signal }),
  })
