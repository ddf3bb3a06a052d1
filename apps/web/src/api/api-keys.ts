import { queryOptions } from '@tanstack/react-query'
import type { ApiKeyEdit, NewApiKey } from './generated/schemas.ts'
import { request } from './request.ts'

export type { ApiKeyScope, CreatedApiKey, ListedApiKey, NewApiKey } from './generated/schemas.ts'

/** The person's own keys and, for admins, all keys of the organization. */
export const apiKeysOptions = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await request('GET /api-keys', { signal })).items,
})

export const createApiKey = (body: NewApiKey) => request('POST /api-keys', { body })

export const changeApiKey = ({ id, ...body }: ApiKeyEdit & { id: string }) => request('PATCH /api-keys/{id}', { params: { id }, body })

/** The groups that the person's keys can belong to. */
export const groupsOfKeysOptions = queryOptions({
  queryKey: ['api-key-groups'],
  queryFn: async ({ signal }) => (await request('GET /api-key-groups', { signal })).items,
})

export const revokeApiKey = (id: string) => request('DELETE /api-keys/{id}', { params: { id } })
