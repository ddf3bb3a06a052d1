import { Type } from 'typebox'
import type { ListedEndpoint as Listed } from '../../../model/endpoint.ts'
import type { EndpointSeries } from '../../../model/endpoint-series.ts'
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  getEndpoint,
  getEndpointSeries,
  listEndpointsWithSeries,
} from '../../../domain/webhooks/endpoints/endpoints.ts'
import {
  activateNextSecret,
  cancelNextSecret,
  getSecrets,
  rotateSecret,
} from '../../../domain/webhooks/endpoints/secrets.ts'
import { disableEndpoint, enableEndpoint, sendHeld } from '../../../domain/webhooks/endpoints/switching.ts'
import { sendTestEvent } from '../../../domain/webhooks/endpoints/send-test-event.ts'
import { checkUrlAhead } from '../../../domain/webhooks/endpoints/url-check.ts'
import type { WebhookServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { presentEndpoint } from '../../present-endpoint.ts'
import { closed, wholeList } from '../../schemas.ts'
import {
  CreatedEndpoint,
  Delivery,
  DeliveryCount,
  Endpoint as EndpointSchema,
  EndpointChange,
  EndpointSecrets,
  EndpointSeries as EndpointSeriesSchema,
  EventType,
  GivenEndpoint,
  ListedEndpoint,
  SeriesPeriod,
  UrlCheck,
} from '../../schemas/webhook-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

const one = '/app/api/webhook-endpoints/:id'

/** Webhook endpoints, for admins. Some responses contain secrets; like all responses, they are `Cache-Control: no-store`. */
export function webhookEndpointRoutes(api: Api, services: WebhookServices): void {
  api.get('/app/api/webhook-endpoints', { schema: { response: { 200: wholeList(ListedEndpoint) } } }, async (request) => ({
    items: (await listEndpointsWithSeries(services, callerOf(request))).map(presentListed),
  }))

  api.post(
    '/app/api/webhook-endpoints',
    { schema: { body: GivenEndpoint, response: { 201: CreatedEndpoint } } },
    async (request, reply) =>
      reply.code(201).send(presentEndpoint(await createEndpoint(services, callerOf(request), request.body))),
  )

  api.post(
    '/app/api/webhook-endpoints/check',
    { schema: { body: Type.Object({ url: Type.String() }, closed), response: { 200: UrlCheck } } },
    async (request) => checkUrlAhead(services, callerOf(request), request.body.url),
  )

  api.get(one, { schema: { params: Params, response: { 200: EndpointSchema } } }, async (request) =>
    presentEndpoint(await getEndpoint(services, callerOf(request), request.params.id)),
  )

  api.get(
    `${one}/series`,
    {
      schema: {
        params: Params,
        querystring: Type.Object({ period: Type.Optional(SeriesPeriod) }, closed),
        response: { 200: EndpointSeriesSchema },
      },
    },
    async (request) => {
      const { period = 'day' } = request.query
      return presentSeries(await getEndpointSeries(services, callerOf(request), request.params.id, period))
    },
  )

  api.patch(
    one,
    { schema: { params: Params, body: EndpointChange, response: { 200: EndpointSchema } } },
    async (request) => presentEndpoint(await editEndpoint(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteEndpoint(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    `${one}/enable`,
    {
      ...optionalBody,
      schema: {
        params: Params,
        body: Type.Object({ sendHeld: Type.Optional(Type.Boolean()) }, closed),
        response: { 200: EndpointSchema },
      },
    },
    async (request) => {
      const options = { sendHeld: request.body.sendHeld ?? false }
      return presentEndpoint(await enableEndpoint(services, callerOf(request), request.params.id, options))
    },
  )

  api.post(
    `${one}/disable`,
    { ...noBody, schema: { params: Params, response: { 200: EndpointSchema } } },
    async (request) => presentEndpoint(await disableEndpoint(services, callerOf(request), request.params.id)),
  )

  api.post(
    `${one}/send-held`,
    { ...noBody, schema: { params: Params, response: { 202: DeliveryCount } } },
    async (request, reply) => reply.code(202).send(await sendHeld(services, callerOf(request), request.params.id)),
  )

  api.post(
    `${one}/test`,
    {
      ...optionalBody,
      schema: {
        params: Params,
        body: Type.Object({ eventType: Type.Optional(EventType) }, closed),
        response: { 202: Delivery },
      },
    },
    async (request, reply) => {
      const delivery = await sendTestEvent(services, callerOf(request), request.params.id, request.body)
      return reply.code(202).send(timesAsText(delivery))
    },
  )

  api.get(`${one}/secret`, { schema: { params: Params, response: { 200: EndpointSecrets } } }, async (request) =>
    getSecrets(services, callerOf(request), request.params.id),
  )

  api.post(
    `${one}/rotate-secret`,
    {
      ...optionalBody,
      schema: {
        params: Params,
        body: Type.Object({ activate: Type.Optional(Type.Boolean()) }, closed),
        response: { 200: EndpointSecrets },
      },
    },
    async (request) => {
      const act = request.body.activate ? activateNextSecret : rotateSecret
      return act(services, callerOf(request), request.params.id)
    },
  )

  api.delete(
    `${one}/next-secret`,
    { schema: { params: Params, response: { 200: EndpointSecrets } } },
    async (request) => cancelNextSecret(services, callerOf(request), request.params.id),
  )
}

function presentListed({ series, ...endpoint }: Listed) {
  return { ...presentEndpoint(endpoint), series: presentSeries(series) }
}

const presentSeries = (series: EndpointSeries) => ({ ...timesAsText(series), parts: series.parts.map(timesAsText) })
