import { Type } from 'typebox'
import { getDelivery, listDeliveries, resendDelivery } from '../../../domain/webhooks/deliveries/deliveries.ts'
import { countReplay, replay, replayMax } from '../../../domain/webhooks/deliveries/replay.ts'
import type { WebhookServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noBody } from '../../page-responses.ts'
import { closed, listPage, PageQuery, Timestamp } from '../../schemas.ts'
import {
  Delivery,
  DeliveryCount,
  DeliveryState,
  EventType,
  LoggedDelivery,
  ReplayState,
} from '../../schemas/webhook-schemas.ts'
import { timesAsText } from '../../times-as-text.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })
const period = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) }

const LogQuery = Type.Object(
  {
    ...PageQuery.properties,
    state: Type.Optional(DeliveryState),
    eventType: Type.Optional(EventType),
    search: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    ...period,
  },
  closed,
)

const choice = {
  states: Type.Optional(Type.Array(ReplayState, { minItems: 1, uniqueItems: true })),
  eventTypes: Type.Optional(Type.Array(EventType, { minItems: 1, uniqueItems: true })),
  ...period,
}

const ReplayChoice = Type.Object(choice, { title: 'ReplayChoice', ...closed })

/** The delivery log of an endpoint, resending and replay. */
export function deliveryRoutes(api: Api, services: WebhookServices): void {
  api.get(
    '/app/api/webhook-endpoints/:id/deliveries',
    { schema: { params: Params, querystring: LogQuery, response: { 200: listPage(LoggedDelivery) } } },
    async (request) => {
      const page = await listDeliveries(services, callerOf(request), request.params.id, request.query)
      return { ...page, items: page.items.map(timesAsText) }
    },
  )

  api.post(
    '/app/api/webhook-endpoints/:id/replay/count',
    { ...optionalBody, schema: { params: Params, body: ReplayChoice, response: { 200: DeliveryCount } } },
    async (request) => countReplay(services, callerOf(request), request.params.id, request.body),
  )

  api.post(
    '/app/api/webhook-endpoints/:id/replay',
    {
      schema: {
        params: Params,
        body: Type.Object({ ...choice, count: Type.Integer({ minimum: 0, maximum: replayMax }) }, closed),
        response: { 202: DeliveryCount },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await replay(services, callerOf(request), request.params.id, request.body)),
  )

  api.get('/app/api/deliveries/:id', { schema: { params: Params, response: { 200: Delivery } } }, async (request) =>
    timesAsText(await getDelivery(services, callerOf(request), request.params.id)),
  )

  api.post(
    '/app/api/deliveries/:id/resend',
    { ...noBody, schema: { params: Params, response: { 202: Delivery } } },
    async (request, reply) =>
      reply.code(202).send(timesAsText(await resendDelivery(services, callerOf(request), request.params.id))),
  )
}
