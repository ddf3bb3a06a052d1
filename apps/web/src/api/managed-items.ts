import { queryOptions } from '@tanstack/react-query'
import type { Query } from './operations.ts'
import { request } from './request.ts'

export type ManagedKind = Query<'GET /managed-items'>['kind']

/** An organization may have thousands of queries and boards, so each of their pages asks for one. */
const isMany = (kind: ManagedKind) => kind === 'query' || kind === 'board'

export const managedItemsOptions = (kind: ManagedKind, id: string) => {
  const query = { kind, ...(isMany(kind) && { id }) }
  return queryOptions({
    queryKey: ['managed-items', query],
    queryFn: async ({ signal }) => (await request('GET /managed-items', { query, signal })).items,
    staleTime: 60_000,
  })
}
