import { Type } from 'typebox'
import type { DataConnector } from '../../../domain/agents/connectors/data-connector.ts'
import {
  createDataConnector,
  deleteDataConnector,
  editDataConnector,
  listDataConnectors,
} from '../../../domain/agents/connectors/data-connectors.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const Headers = Type.Optional(Type.Record(Type.String(), Type.String()))
const Enabled = Type.Optional(Type.Boolean())

const all = '/app/api/data-connectors'
const one = `${all}/:id`

/** Data connectors: members see them, admins change and try them. The values of headers are in no answer. */
export function dataConnectorRoutes(api: Api, services: Services): void {
  api.get(all, async (request) => ({ items: (await listDataConnectors(services, callerOf(request))).map(present) }))

  api.post(
    all,
    {
      schema: {
        body: Type.Object({ name: Type.String(), url: Type.String(), headers: Headers, enabled: Enabled }, closed),
      },
    },
    async (request, reply) =>
      reply.code(201).send(present(await createDataConnector(services, callerOf(request), request.body))),
  )

  api.patch(
    one,
    {
      schema: {
        params: Params,
        body: Type.Object(
          { name: Type.Optional(Type.String()), url: Type.Optional(Type.String()), headers: Headers, enabled: Enabled },
          closed,
        ),
      },
    },
    async (request) => present(await editDataConnector(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params } }, async (request, reply) => {
    await deleteDataConnector(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(`${one}/test`, { schema: { params: Params } }, async (request) => {
    // Loaded when it is first needed, as the model agent is.
    const { tryConnector } = await import('../../../domain/agents/connectors/try-connector.ts')
    return tryConnector(services, callerOf(request), request.params.id)
  })
}

const present = ({ id, name, url, headerNames, enabled, createdAt, updatedAt }: DataConnector) => ({
  id,
  name,
  url,
  headerNames,
  enabled,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
