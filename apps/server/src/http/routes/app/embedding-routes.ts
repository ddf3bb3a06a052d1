import { Type } from 'typebox'
import { createEmbedSecret, editEmbedOrigins, type Embedding as Settings, getEmbedding, revokeEmbedSecret, rotateEmbedSecret } from '../../../domain/sharing/embedding.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { embedLimits } from '../../../model/sharing/embedding.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { closed } from '../../schemas.ts'
import { Embedding, NewEmbedSecret } from '../../schemas/sharing-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const Origins = Type.Object({ origins: Type.Array(Type.String(), { maxItems: embedLimits.origins }) }, closed)
const Named = Type.Object({ name: Type.String() }, closed)
const Overlap = Type.Object({ overlapHours: Type.Integer({ minimum: 0, maximum: embedLimits.overlapHours }) }, closed)

/** The sites that may embed queries and boards, and the secrets that sign their tokens. For admins. */
export function embeddingRoutes(api: Api, services: BaseServices): void {
  api.get('/app/api/embedding', { schema: { response: { 200: Embedding } } }, async (request) =>
    present(await getEmbedding(services, callerOf(request))),
  )

  api.put('/app/api/embedding/origins', { schema: { body: Origins, response: { 200: Embedding } } }, async (request) =>
    present(await editEmbedOrigins(services, callerOf(request), request.body.origins)),
  )

  api.post(
    '/app/api/embed-secrets',
    { schema: { body: Named, response: { 201: NewEmbedSecret } } },
    async (request, reply) => reply.code(201).send(await createEmbedSecret(services, callerOf(request), request.body)),
  )

  api.post(
    '/app/api/embed-secrets/:id/rotate',
    { schema: { params: Params, body: Overlap, response: { 201: NewEmbedSecret } } },
    async (request, reply) =>
      reply.code(201).send(await rotateEmbedSecret(services, callerOf(request), { ...request.params, ...request.body })),
  )

  api.delete('/app/api/embed-secrets/:id', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await revokeEmbedSecret(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })
}

const present = ({ origins, secrets }: Settings) => ({
  origins,
  secrets: secrets.map(({ createdAt, lastUsedAt, expiresAt, ...secret }) => ({
    ...secret,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt?.toISOString() ?? null,
  })),
})
