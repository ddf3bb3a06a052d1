import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { ItemLineage, ReferenceLineage, TableUsers } from './generated/schemas.ts'

export const getLineage = (shortId: string, signal?: AbortSignal) =>
  request('GET /references/{shortId}/lineage', { params: { shortId }, ...(signal && { signal }) })

export const lineageOptions = (shortId: string) =>
  queryOptions({ queryKey: ['references', 'lineage', shortId], queryFn: ({ signal }) => getLineage(shortId, signal) })

export type ItemAddress = { kind: 'board'; shortId: string } | { kind: 'automation'; id: string }

/** What a board or an automation reads. */
export const itemLineageOptions = (item: ItemAddress) =>
  queryOptions({
    queryKey: ['lineage', item],
    queryFn: ({ signal }) =>
      item.kind === 'board'
        ? request('GET /boards/{shortId}/lineage', { params: { shortId: item.shortId }, signal })
        : request('GET /automations/{id}/lineage', { params: { id: item.id }, signal }),
  })

/** What uses a table, or one of its columns. */
export const tableUsersOptions = (databaseId: string, of: { schema: string; table: string; column?: string }) =>
  queryOptions({
    queryKey: ['databases', databaseId, 'users', of],
    queryFn: ({ signal }) => request('GET /databases/{id}/users', { params: { id: databaseId }, query: of, signal }),
  })
