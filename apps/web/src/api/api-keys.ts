import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export interface ApiKey {
  id: string
  name: string
  /** Its first characters, to recognise it by. */
  prefix: string
  createdAt: string
  lastUsedAt: string | null
}

export interface ListedApiKey extends ApiKey {
  /** The member it acts as. */
  user: { id: string; email: string; name: string }
}

/** The only place where the key itself can be read. */
export interface CreatedApiKey extends ApiKey {
  key: string
}

/** One's own, and for admins those of the whole organization. */
export const apiKeysOptions = queryOptions({
  queryKey: ['api-keys'],
  queryFn: async ({ signal }) => (await request<{ items: ListedApiKey[] }>('/api-keys', { signal })).items,
})

export const createApiKey = (name: string) => request<CreatedApiKey>('/api-keys', { method: 'POST', body: { name } })

export const revokeApiKey = (id: string) => request<void>(`/api-keys/${encodeURIComponent(id)}`, { method: 'DELETE' })
