import { Type } from 'typebox'
import { descriptionMaxLength } from '../../../domain/webhooks/endpoints/check-endpoint.ts'
import type { Endpoint } from '../../../model/endpoint.ts'
import { seriesPeriods } from '../../../model/endpoint-series.ts'
import {
  createEndpoint,
  deleteEndpoint,
  editEndpoint,
  getEndpoint,
  getEndpointSeries,
  listEndpoints,
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
import { eventTypes } from '../../../model/event.ts'
import type { WebhookServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { closed, oneOf } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const Description = Type.Optional(
  Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: descriptionMaxLength }),
)
const EventTypes = Type.Array(oneOf(eventTypes), { minItems: 1, uniqueItems: true })

const one = '/app/api/webhook-endpoints/:id'

/** Webhook endpoints, for admins. Some answers hold secrets: nobody keeps them (`Cache-Control: no-store`, as everywhere). */
export function webhookEndpointRoutes(api: Api, services: WebhookServices): void {
  api.get('/app/api/webhook-endpoints', async (request) => ({
    items: (await listEndpoints(services, callerOf(request))).map(present),
  }))

  api.post(
    '/app/api/webhook-endpoints',
    {
      schema: {
        body: Type.Object({ url: Type.String(), description: Description, eventTypes: EventTypes }, closed),
      },
    },
    async (request, reply) =>
      reply.code(201).send(present(await createEndpoint(services, callerOf(request), request.body))),
  )

  api.post(
    '/app/api/webhook-endpoints/check',
    { schema: { body: Type.Object({ url: Type.String() }, closed) } },
    async (request) => checkUrlAhead(services, callerOf(request), request.body.url),
  )

  api.get(one, { schema: { params: Params } }, async (request) =>
    present(await getEndpoint(services, callerOf(request), request.params.id)),
  )

  api.get(
    `${one}/series`,
    { schema: { params: Params, querystring: Type.Object({ period: Type.Optional(oneOf(seriesPeriods)) }, closed) } },
    async (request) =>
      getEndpointSeries(services, callerOf(request), request.params.id, request.query.period ?? 'day'),
  )

  api.patch(
    one,
    {
      schema: {
        params: Params,
        body: Type.Object(
          { url: Type.Optional(Type.String()), description: Description, eventTypes: Type.Optional(EventTypes) },
          closed,
        ),
      },
    },
    async (request) => present(await editEndpoint(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params } }, async (request, reply) => {
    await deleteEndpoint(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    `${one}/enable`,
    {
      ...optionalBody,
      schema: { params: Params, body: Type.Object({ sendHeld: Type.Optional(Type.Boolean()) }, closed) },
    },
    async (request) => {
      const options = { sendHeld: request.body.sendHeld ?? false }
      return present(await enableEndpoint(services, callerOf(request), request.params.id, options))
    },
  )

  api.post(`${one}/disable`, { schema: { params: Params } }, async (request) =>
    present(await disableEndpoint(services, callerOf(request), request.params.id)),
  )

  api.post(`${one}/send-held`, { schema: { params: Params } }, async (request, reply) =>
    reply.code(202).send(await sendHeld(services, callerOf(request), request.params.id)),
  )

  api.post(
    `${one}/test`,
    {
      ...optionalBody,
      schema: { params: Params, body: Type.Object({ eventType: Type.Optional(oneOf(eventTypes)) }, closed) },
    },
    async (request, reply) =>
      reply.code(202).send(await sendTestEvent(services, callerOf(request), request.params.id, request.body)),
  )

  api.get(`${one}/secret`, { schema: { params: Params } }, async (request) =>
    getSecrets(services, callerOf(request), request.params.id),
  )

  api.post(
    `${one}/rotate-secret`,
    {
      ...optionalBody,
      schema: { params: Params, body: Type.Object({ activate: Type.Optional(Type.Boolean()) }, closed) },
    },
    async (request) => {
      const act = request.body.activate ? activateNextSecret : rotateSecret
      return act(services, callerOf(request), request.params.id)
    },
  )

  api.delete(`${one}/next-secret`, { schema: { params: Params } }, async (request) =>
    cancelNextSecret(services, callerOf(request), request.params.id),
  )
}

const present = <Shown extends Endpoint>({ organizationId: _, ...endpoint }: Shown) => endpoint
