import { Type } from 'typebox'
import { definedEvents, type EventField, type EventType, eventTypes } from '../model/event-type.ts'
import { Timestamp } from './schemas.ts'

/** The requests that the service itself sends, for the `webhooks` section of OpenAPI 3.1. */
const envelope = (type: EventType) => {
  const { schemaName, description, fields } = definedEvents[type]
  return Type.Object(
    {
      id: Type.String({ description: 'Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it.' }),
      type: Type.Unsafe<EventType>({ type: 'string', enum: [type] }),
      createdAt: Timestamp,
      data: Type.Object(Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]))),
    },
    { title: schemaName, description },
  )
}

function schemaOf({ is, ...described }: EventField) {
  switch (is) {
    case 'text':
      return Type.String(described)
    case 'reserved':
      return Type.Null(described)
    case 'integer':
      return Type.Integer(described)
    case 'boolean':
      return Type.Boolean(described)
    case 'texts':
      return Type.Array(Type.String(), described)
    case 'objects':
      return Type.Array(Type.Object({}, { additionalProperties: true }), described)
  }
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
      'Sent to each subscribed endpoint at least once, with up to eight attempts until one gets a 2xx response. Verify the signature before you trust a request.',
    parameters: [
      header('svc-webhook-id', 'The event’s id; stable across attempts.'),
      header('svc-webhook-timestamp', 'Send time in Unix seconds; fresh on every attempt.'),
      header('svc-webhook-signature', '`v1=` followed by the hex HMAC-SHA256 of `<id>.<timestamp>.<raw body>`.'),
    ],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: { '2XX': { description: 'Received. Respond within 10 seconds; any other outcome is retried.' } },
    security: [],
  },
})

export const describedWebhooks = Object.fromEntries(
  eventTypes.map((type) => [type, delivery(definedEvents[type].summary, envelope(type))]),
)
