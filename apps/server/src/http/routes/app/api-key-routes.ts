import { Type } from 'typebox'
import { createApiKey, listApiKeys, revokeApiKey } from '../../../domain/people/api-keys.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

/** API keys of the account settings. A key is shown once, in the answer that creates it. */
export function apiKeyRoutes(api: Api, services: PeopleServices): void {
  api.get('/app/api/api-keys', async (request) => ({ items: await listApiKeys(services, callerOf(request)) }))

  api.post(
    '/app/api/api-keys',
    { schema: { body: Type.Object({ name: Type.String() }, closed) } },
    async (request, reply) => reply.code(201).send(await createApiKey(services, callerOf(request), request.body)),
  )

  api.delete(
    '/app/api/api-keys/:id',
    { schema: { params: Type.Object({ id: Type.String() }) } },
    async (request, reply) => {
      await revokeApiKey(services, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
