import { Type } from 'typebox'
import { eventTypes } from '../../model/event-type.ts'
import { makeListening, type Told } from '../../domain/webhooks/listening/listening.ts'
import { createSampleEvent } from '../../domain/webhooks/listening/sample-event.ts'
import type { WebhookServices } from '../../domain/services.ts'
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
import { readQueryLists } from '../query-lists.ts'
import { closed, described, NullableText, oneOf, Timestamp } from '../schemas.ts'
import type { ServerSentEvent } from '../server-sent-events.ts'
import type { Api } from '../typed.ts'

const tags = ['Events']

const EventId = Type.String({ description: 'The same at every endpoint.', examples: ['evt_2Hq8Zr5KtWmN7cXvB3yPdL'] })

const EventStreamReady = Type.Object(
  {
    secret: Type.String({
      description: 'What verifies the events of this stream: yours alone, the same each time, and no endpoint’s.',
      examples: ['whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazYIkHT0dRE='],
    }),
    hasMissedEvents: Type.Boolean({
      description: 'True when there were events after `Last-Event-ID` that are older than an hour, or when it is not known here.',
    }),
  },
  { title: 'EventStreamReady', description: 'The data of `ready`, the first event of a stream: from here on nothing is missed.' },
)

const StreamedEvent = Type.Object(
  {
    id: EventId,
    type: oneOf(eventTypes),
    createdAt: Timestamp,
    isTest: Type.Boolean({ description: 'True for a sample, which tells of no run.' }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'All headers that a delivery to an endpoint carries, signed now with the stream’s secret.',
    }),
    body: Type.String({ description: 'The body, byte for byte as endpoints get it. Verify this text, then parse it.' }),
  },
  { title: 'StreamedEvent', description: 'The data of `webhook`: one event, as an endpoint would get it.' },
)

const SampleEvent = Type.Object(
  {
    id: EventId,
    type: oneOf(eventTypes),
    createdAt: Timestamp,
    listenerCount: Type.Integer({ description: 'How many listen in the organization now.' }),
    deliveryId: described(NullableText, 'The delivery to the endpoint that was named; else null.'),
  },
  { title: 'SampleEvent', description: 'A sample that is on its way.' },
)

/** Events on a developer's machine, which no webhook can reach. Not part of the retired interface. */
export function eventRoutes(api: Api, services: WebhookServices): void {
  const listening = makeListening(services)

  api.get(
    '/api/events/stream',
    {
      // A stream that nobody reads would count as one that somebody does.
      exposeHeadRoute: false,
      config: { isEventStream: true },
      preValidation: readQueryLists('type'),
      schema: {
        operationId: 'events.stream',
        tags,
        summary: 'Listen to events',
        description:
          'Server-sent events, for as long as you listen: `ready` first, then a `webhook` for each event of the organization. Any member may listen; endpoints get their deliveries as ever. When the connection ends, open it again with the last `id` as `Last-Event-ID`, and nothing is missed that happened within the hour. A comment every 15 seconds keeps the connection in use. An API key may have 20 streams at once. `querypost listen` does all of this.',
        querystring: Type.Object(
          {
            type: Type.Optional(
              Type.Array(oneOf(eventTypes), {
                minItems: 1,
                description: 'Only events of these types. Repeat it, or put commas between them.',
                examples: [['automation.run.failed']],
              }),
            ),
            since: Type.Optional(
              Type.String({
                format: 'date-time',
                description:
                  'Begin with the events since this time, at most 28 days ago. Without it: from now on. Passed over when there is a `Last-Event-ID`.',
                examples: ['2026-01-05T09:00:00.000Z'],
              }),
            ),
          },
          closed,
        ),
        response: {
          ...answers(200, EventStreamReady, ['forbidden', 'too_many_requests']),
          200: {
            description: 'The stream. The schema is that of the events’ data.',
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
        for await (const told of tell(signal)) yield frameOf(told)
      })
    },
  )

  api.post(
    '/api/events/samples',
    {
      schema: {
        operationId: 'events.createSample',
        tags,
        summary: 'Send a sample event',
        description:
          'Makes an event that looks like a real one and says that it is a test, for all who listen in the organization. It goes to an endpoint only if you, an admin, name one; the log shows it as a test. `querypost trigger` does the same.',
        body: Type.Object(
          {
            type: oneOf(eventTypes),
            endpointId: Type.Optional(
              Type.String({ description: 'An endpoint that gets it too, as its own test would.', examples: ['we_9kq2'] }),
            ),
          },
          closed,
        ),
        response: answers(202, SampleEvent, ['forbidden', 'endpoint_not_found', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const { createdAt, ...sample } = await createSampleEvent(services, callerOf(request), request.body)
      return reply.code(202).send({ ...sample, createdAt: createdAt.toISOString() })
    },
  )
}

function frameOf(told: Told): ServerSentEvent {
  if (told.kind === 'ready') {
    const { secret, hasMissedEvents } = told
    return { id: told.position, event: 'ready', data: { secret, hasMissedEvents } }
  }
  const { id, type, createdAt, isTest, body } = told.event
  return {
    id: told.position,
    event: 'webhook',
    data: { id, type, createdAt: createdAt.toISOString(), isTest, headers: told.headers, body },
  }
}
