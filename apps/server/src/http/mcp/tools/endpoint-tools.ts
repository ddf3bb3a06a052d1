import { Type } from 'typebox'
import * as endpoints from '../../../domain/webhooks/endpoints/endpoints.ts'
import type { Endpoint } from '../../../model/endpoint.ts'
import { EndpointChange, GivenEndpoint } from '../../schemas/webhook-schemas.ts'
import { bounds } from '../mcp-limits.ts'
import { linksAt } from '../mcp-links.ts'
import { shown } from '../mcp-texts.ts'
import { closed, inputOf, Next, text } from '../shapes.ts'
import { creates, defineTool, reads, replaces } from '../tool.ts'

const EndpointId = Type.String({ maxLength: 100, description: 'An id from list_webhook_endpoints' })
const EndpointAnswer = Type.Object({ id: text, endpointUrl: text, state: text, eventTypes: Type.Array(text), url: text })

const present = ({ id, url, state, eventTypes }: Endpoint, place: { baseUrl: string }) => ({
  id,
  endpointUrl: shown(url, bounds.listedText),
  state,
  eventTypes,
  url: linksAt(place).endpoint(id),
})

/** Events leave the organization. */
const reachesOut = { openWorldHint: true }

export const listEndpoints = defineTool({
  name: 'list_webhook_endpoints',
  scope: 'admin:webhooks',
  title: 'List webhook endpoints',
  description: 'Lists the URLs that receive events as signed requests, without their secrets. Only for admins.',
  hints: reads,
  input: Type.Object({}, closed),
  output: Type.Object({ items: Type.Array(EndpointAnswer) }),
  async call({ services, caller }) {
    return { items: (await endpoints.listEndpoints(services, caller)).map((endpoint) => present(endpoint, services)) }
  },
})

export const createEndpoint = defineTool({
  name: 'create_webhook_endpoint',
  scope: 'admin:webhooks',
  title: 'Create a webhook endpoint',
  description: 'Sends events to a URL from now on. The secret that signs them is not returned: admins see it on the endpoint’s page. Only for admins.',
  hints: { ...creates, ...reachesOut },
  input: inputOf({}, GivenEndpoint),
  output: Type.Object({ ...EndpointAnswer.properties, next: Next }),
  async call({ services, caller }, input) {
    const { secret: _, ...endpoint } = await endpoints.createEndpoint(services, caller, input)
    return { ...present(endpoint, services), next: 'Tell the user to copy the signing secret from the page at url.' }
  },
})

export const updateEndpoint = defineTool({
  name: 'update_webhook_endpoint',
  scope: 'admin:webhooks',
  title: 'Change a webhook endpoint',
  description: 'Changes the given fields of an endpoint. A changed URL also applies to pending deliveries. Only for admins.',
  hints: { ...replaces, ...reachesOut },
  input: inputOf({ endpointId: EndpointId }, EndpointChange),
  output: EndpointAnswer,
  call: async ({ services, caller }, { endpointId, ...edit }) =>
    present(await endpoints.editEndpoint(services, caller, endpointId, edit), services),
})

export const deleteEndpoint = defineTool({
  name: 'delete_webhook_endpoint',
  scope: 'admin:webhooks',
  title: 'Delete a webhook endpoint',
  description: 'Deletes an endpoint with its log. It receives nothing from now on. Only for admins.',
  hints: replaces,
  input: Type.Object({ endpointId: EndpointId }, closed),
  output: Type.Object({ id: text }),
  async call({ services, caller }, { endpointId }) {
    await endpoints.deleteEndpoint(services, caller, endpointId)
    return { id: endpointId }
  },
})
