import { Type } from 'typebox'
import { definedEvents, type EventField, type EventType, eventTypes } from '../model/event-type.ts'
import { Timestamp } from './schemas.ts'

/** What the service sends instead of answering. OpenAPI 3.1 has a place for it beside the paths. */
const envelope = (type: EventType) => {
  const { schemaName, description, fields } = definedEvents[type]
  return Type.Object(
    {
      id: Type.String({ description: 'Equal to the header `svc-webhook-id`. The same in every attempt: deduplicate on it.' }),
      type: Type.Unsafe<EventType>({ type: 'string', enum: [type] }),
      createdAt: Timestamp,
      data: Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]))),
    },
    { title: schemaName, description },
  )
}

function schemaOf({ is, ...described }: EventField) {
  return is === 'text' ? Type.String(described) : Type.Null(described)
}

const header = (name: string, description: string) => ({
  in: 'header',
  name,
  required: true,
  description,
  schema: { type: 'string' },
})

const delivery = (summary: string, schema: object) => ({
  post: {
    tags: ['Events'],
    summary,
    description:
      'Sent to each subscribed endpoint, at least once, up to eight times until one answer is 2xx. Verify the signature before you trust a request.',
    parameters: [
      header('svc-webhook-id', 'The event’s id; stable across attempts.'),
      header('svc-webhook-timestamp', 'When it was sent, in Unix seconds; fresh on every attempt.'),
      header('svc-webhook-signature', '`v1=` and the hex HMAC-SHA256 of `<id>.<timestamp>.<raw body>`.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received, within 10 seconds. Everything else is tried again.' } },
    security: [],
  },
})

export const describedWebhooks = Object.fromEntries(
  eventTypes.map((type) => [type, delivery(definedEvents[type].summary, envelope(type))]),
)
