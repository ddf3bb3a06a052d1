import { Type } from 'typebox'
import { getDelivery, listDeliveries, resendDelivery } from '../../../domain/webhooks/deliveries/deliveries.ts'
import { countReplay, replay, replayMax } from '../../../domain/webhooks/deliveries/replay.ts'
import { replayStates } from '../../../model/delivery-log.ts'
import { deliveryStates } from '../../../model/delivery.ts'
import { eventTypes } from '../../../model/event.ts'
import type { WebhookServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { closed, oneOf, PageQuery, Timestamp } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const period = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) }

const LogQuery = Type.Object(
  {
    ...PageQuery.properties,
    state: Type.Optional(oneOf(deliveryStates)),
    eventType: Type.Optional(oneOf(eventTypes)),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ...period,
  },
  closed,
)

const choice = {
  states: Type.Optional(Type.Array(oneOf(replayStates), { minItems: 1, uniqueItems: true })),
  eventTypes: Type.Optional(Type.Array(oneOf(eventTypes), { minItems: 1, uniqueItems: true })),
  ...period,
}

/** The log of what was sent to an endpoint, and sending it again. */
export function deliveryRoutes(api: Api, services: WebhookServices): void {
  api.get(
    '/app/api/webhook-endpoints/:id/deliveries',
    { schema: { params: Params, querystring: LogQuery } },
    async (request) => listDeliveries(services, callerOf(request), request.params.id, request.query),
  )

  api.post(
    '/app/api/webhook-endpoints/:id/replay/count',
    { ...optionalBody, schema: { params: Params, body: Type.Object(choice, closed) } },
    async (request) => countReplay(services, callerOf(request), request.params.id, request.body),
  )

  api.post(
    '/app/api/webhook-endpoints/:id/replay',
    {
      schema: {
        params: Params,
        body: Type.Object({ ...choice, count: Type.Integer({ minimum: 0, maximum: replayMax }) }, closed),
      },
    },
    async (request, reply) =>
      reply.code(202).send(await replay(services, callerOf(request), request.params.id, request.body)),
  )

  api.get('/app/api/deliveries/:id', { schema: { params: Params } }, async (request) =>
    getDelivery(services, callerOf(request), request.params.id),
  )

  api.post('/app/api/deliveries/:id/resend', { schema: { params: Params } }, async (request, reply) =>
    reply.code(202).send(await resendDelivery(services, callerOf(request), request.params.id)),
  )
}
