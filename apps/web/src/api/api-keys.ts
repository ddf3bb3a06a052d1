import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { CreatedApiKey, ListedApiKey } from './generated/schemas.ts'

/** The person's own keys and, for admins, all keys of the organization. */
export const apiKeysOptions = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await request('GET /api-keys', { signal })).items,
})

export const createApiKey = (name: string) => request('POST /api-keys', { body: { name } })

export const revokeApiKey = (id: string) => request('DELETE /api-keys/{id}', { params: { id } })
