import { queryOptions } from '@tanstack/react-query'
import { request } from './request.ts'

export type { Embedding, EmbedSecret, NewEmbedSecret } from './generated/schemas.ts'

export const embeddingOptions = queryOptions({
  queryKey: ['embedding'],
  queryFn: ({ signal }) => request('GET /embedding', { signal }),
})

export const editEmbedOrigins = (origins: string[]) => request('PUT /embedding/origins', { body: { origins } })

export const createEmbedSecret = (name: string) => request('POST /embed-secrets', { body: { name } })

/** The old secret stays valid for the overlap. */
export const rotateEmbedSecret = (id: string, overlapHours: number) =>
  request('POST /embed-secrets/{id}/rotate', { params: { id }, body: { overlapHours } })

export const revokeEmbedSecret = (id: string) => request('DELETE /embed-secrets/{id}', { params: { id } })
