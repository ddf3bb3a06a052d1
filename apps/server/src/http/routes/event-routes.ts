import { Type } from 'typebox'
import { eventTypes } from '../../model/event-type.ts'
import { makeListening, type ListenerMessage } from '../../domain/webhooks/listening/listening.ts'
import { createSampleEvent } from '../../domain/webhooks/listening/sample-event.ts'
import type { WebhookServices } from '../../domain/services.ts'
import { responses } from '../responses.ts'
import { callerOf } from '../authenticate.ts'
import { readQueryLists } from '../query-lists.ts'
import { closed, described, NullableText, oneOf, Timestamp } from '../schemas.ts'
import type { ServerSentEvent } from '../server-sent-events.ts'
import type { Api } from '../typed.ts'

const tags = ['Events']

const EventId = Type.String({ description: 'The same for every endpoint.', examples: ['evt_2Hq8Zr5KtWmN7cXvB3yPdL'] })

const EventStreamReady = Type.Object(
  {
    secret: Type.String({
      description: 'The secret to verify events of this stream. It is specific to you, stays the same between streams, and belongs to no endpoint.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazYIkHT0dRE='],
    }),
    hasMissedEvents: Type.Boolean({
      description: 'True if there were events after `Last-Event-ID` that are older than an hour, or if the id is unknown.',
    }),
  },
  { title: 'EventStreamReady', description: 'The data of `ready`, the first event of a stream. No event after it is missed.' },
)

const StreamedEvent = Type.Object(
  {
    id: EventId,
    type: oneOf(eventTypes),
    createdAt: Timestamp,
    isTest: Type.Boolean({ description: 'True for a sample event, which reports no real change.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'All headers of a delivery to an endpoint, freshly signed with the stream’s secret.',
    }),
    body: Type.String({ description: 'The exact body that endpoints receive. Verify this text, then parse it.' }),
  },
  { title: 'StreamedEvent', description: 'The data of `webhook`: one event, as an endpoint would receive it.' },
)

const SampleEvent = Type.Object(
  {
    id: EventId,
    type: oneOf(eventTypes),
    createdAt: Timestamp,
    listenerCount: Type.Integer({ description: 'Number of current listeners in the organization.' }),
    deliveryId: described(NullableText, 'The delivery to the given endpoint; otherwise null.'),
  },
  { title: 'SampleEvent', description: 'A sample event that is being sent.' },
)

/** Events for development machines without a public URL. Not part of the retired API. */
export function eventRoutes(api: Api, services: WebhookServices): void {
  const listening = makeListening(services)

  api.get(
    '/api/events/stream',
    {
      // A HEAD request would count as a listener although it reads no events.
      exposeHeadRoute: false,
      config: { scope: 'read:webhooks', isEventStream: true },
      preValidation: readQueryLists('type'),
      schema: {
        operationId: 'events.stream',
        tags,
        summary: 'Listen to events',
        description:
          'Streams server-sent events: first `ready`, then a `webhook` for each event of the organization. Any member may listen, and endpoints still get their deliveries. When the connection ends, reconnect with the last `id` as `Last-Event-ID` to get the events of the past hour that you missed. A comment every 15 seconds keeps the connection alive. An API key may have 20 open streams. `querypost listen` does all of this for you.',
        querystring: Type.Object(
          {
            type: Type.Optional(
              Type.Array(oneOf(eventTypes), {
                minItems: 1,
                description:
                  'Only events of these types. Repeat the parameter, or separate types with commas. Default: the events of automation runs, which every endpoint gets unless it chooses others. Opt-in events are published only while an endpoint or a listener asks for them.',
                examples: [['automation.run.failed']],
              }),
            ),
            since: Type.Optional(
              Type.String({
                format: 'date-time',
                description:
                  'Start with the events since this time, at most 28 days ago. Default: now. Ignored if `Last-Event-ID` is sent.',
                examples: ['2026-01-05T09:00:00.000Z'],
              }),
            ),
          },
          closed,
        ),
        response: {
          ...responses(200, EventStreamReady, ['forbidden', 'too_many_requests']),
          200: {
            description: 'The stream. The schema describes the data of its events.',
            content: { 'text/event-stream': { schema: Type.Union([EventStreamReady, StreamedEvent]) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { type: types, since } = request.query
      const lastPosition = request.headers['last-event-id']
      const given = typeof lastPosition === 'string' && lastPosition !== '' ? lastPosition : undefined
      const caller = { ...callerOf(request), keyId: request.key!.keyId }
      const tell = await listening.open(caller, { types, since, lastPosition: given })
      return reply.sendEvents(async function* frames(signal) {
        for await (const message of tell(signal)) yield frameOf(message)
      })
    },
  )

  api.post(
    '/api/events/samples',
    {
      config: { scope: 'run:webhooks' },
      schema: {
        operationId: 'events.createSample',
        tags,
        summary: 'Send a sample event',
        description:
          'Sends a realistic event, marked as a test, to all listeners in the organization. It is delivered to an endpoint only if you specify one, which requires an admin; the delivery log shows it as a test. `querypost trigger` does the same.',
        body: Type.Object(
          {
            type: oneOf(eventTypes),
            endpointId: Type.Optional(
              Type.String({ description: 'An endpoint that also gets the event, like a test from its page.', examples: ['we_9kq2'] }),
            ),
          },
          closed,
        ),
        response: responses(202, SampleEvent, ['forbidden', 'endpoint_not_found', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const { createdAt, ...sample } = await createSampleEvent(services, callerOf(request), request.body)
      return reply.code(202).send({ ...sample, createdAt: createdAt.toISOString() })
    },
  )
}

function frameOf(message: ListenerMessage): ServerSentEvent {
  if (message.kind === 'ready') {
    const { secret, hasMissedEvents } = message
    return { id: message.position, event: 'ready', data: { secret, hasMissedEvents } }
  }
  const { id, type, createdAt, isTest, body } = message.event
  return {
    id: message.position,
    event: 'webhook',
    data: { id, type, createdAt: createdAt.toISOString(), isTest, headers: message.headers, body },
  }
}
