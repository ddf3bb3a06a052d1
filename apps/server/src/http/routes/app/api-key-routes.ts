import { Type } from 'typebox'
import { createApiKey, editApiKey, listApiKeys, revokeApiKey } from '../../../domain/people/api-keys.ts'
import { listGroupsOfKeys } from '../../../domain/people/groups-of-keys.ts'
import type { PeopleServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { wholeList } from '../../schemas.ts'
import { ApiKeyEdit, CreatedApiKey, GroupOfKeys, ListedApiKey, NewApiKey } from '../../schemas/people-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

/** API keys in the account settings. A key is shown once, in the response that creates it. */
export function apiKeyRoutes(api: Api, services: PeopleServices): void {
  api.get('/app/api/api-keys', { schema: { response: { 200: wholeList(ListedApiKey) } } }, async (request) => ({
    items: (await listApiKeys(services, callerOf(request))).map(timesAsText),
  }))

  api.post(
    '/app/api/api-keys',
    { schema: { body: NewApiKey, response: { 201: CreatedApiKey } } },
    async (request, reply) => {
      const { expiresAt = null, ...rest } = request.body
      const input = { ...rest, expiresAt: expiresAt === null ? null : new Date(expiresAt) }
      return reply.code(201).send(timesAsText(await createApiKey(services, callerOf(request), input)))
    },
  )

  api.get('/app/api/api-key-groups', { schema: { response: { 200: wholeList(GroupOfKeys) } } }, async (request) => ({
    items: await listGroupsOfKeys(services, callerOf(request)),
  }))

  api.patch(
    '/app/api/api-keys/:id',
    { schema: { params: Type.Object({ id: Type.String() }), body: ApiKeyEdit, response: { 200: ListedApiKey } } },
    async (request) => timesAsText(await editApiKey(services, callerOf(request), { ...request.body, id: request.params.id })),
  )

  api.delete(
    '/app/api/api-keys/:id',
    { schema: { params: Type.Object({ id: Type.String() }), response: noContent } },
    async (request, reply) => {
      await revokeApiKey(services, callerOf(request), request.params.id)
      return reply.code(204).send()
    },
  )
}
