import { Type } from 'typebox'
import {
  createDataConnector,
  deleteDataConnector,
  editDataConnector,
  listDataConnectors,
  type ListedDataConnector,
} from '../../../domain/agents/connectors/data-connectors.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { wholeList } from '../../schemas.ts'
import {
  ConnectorTest,
  DataConnector as DataConnectorSchema,
  DataConnectorChange,
  GivenDataConnector,
} from '../../schemas/agent-settings-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

const all = '/app/api/data-connectors'
const one = `${all}/:id`

/** Data connectors: members can list them, admins can change and test them. Header values are never returned. */
export function dataConnectorRoutes(api: Api, services: AgentServices): void {
  api.get(all, { schema: { response: { 200: wholeList(DataConnectorSchema) } } }, async (request) => ({
    items: (await listDataConnectors(services, callerOf(request))).map(present),
  }))

  api.post(
    all,
    { schema: { body: GivenDataConnector, response: { 201: DataConnectorSchema } } },
    async (request, reply) =>
      reply.code(201).send(present(await createDataConnector(services, callerOf(request), request.body))),
  )

  api.patch(
    one,
    { schema: { params: Params, body: DataConnectorChange, response: { 200: DataConnectorSchema } } },
    async (request) => present(await editDataConnector(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteDataConnector(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    `${one}/test`,
    { ...noBody, schema: { params: Params, response: { 200: ConnectorTest } } },
    async (request) => {
      // Loaded on demand, like the model agent.
      const { tryConnector } = await import('../../../domain/agents/connectors/try-connector.ts')
      return tryConnector(services, callerOf(request), request.params.id)
    },
  )
}

const present = ({ id, name, url, headerNames, enabled, createdAt, updatedAt }: ListedDataConnector) => ({
  id,
  name,
  url,
  headerNames,
  enabled,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})
