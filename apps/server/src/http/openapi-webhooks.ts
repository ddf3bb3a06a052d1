import { Type } from 'typebox'
import type { EventType } from '../model/event.ts'
import { Timestamp } from './schemas.ts'

/** What the service sends instead of answering. OpenAPI 3.1 has a place for it beside the paths. */
const common = {
  automationId: Type.String(),
  automationName: Type.String(),
  runId: Type.String(),
  chatUrl: Type.String({ description: 'The permalink of the run’s chat.' }),
}

const envelope = (title: string, type: EventType, data: ReturnType<typeof Type.Object>, description: string) =>
  Type.Object(
    {
      id: Type.String({ description: 'Equal to the header `svc-webhook-id`. The same in every attempt: deduplicate on it.' }),
      type: Type.Unsafe<EventType>({ type: 'string', enum: [type] }),
      createdAt: Timestamp,
      data,
    },
    { title, description },
  )

const RunCompletedEvent = envelope(
  'RunCompletedEvent',
  'automation.run.completed',
  Type.Object({
    ...common,
    summary: Type.String({ description: 'What the run found, as plain text.' }),
    imageUrl: Type.Null({ description: 'Reserved; always null.' }),
  }),
  'An automation’s run finished successfully.',
)

const RunFailedEvent = envelope(
  'RunFailedEvent',
  'automation.run.failed',
  Type.Object({ ...common, reason: Type.String({ description: 'Why it failed, or that it was stopped and by whom.' }) }),
  'An automation’s run failed, or was stopped before completing.',
)

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

export const describedWebhooks: Record<EventType, unknown> = {
  'automation.run.completed': delivery('An automation’s run completed', RunCompletedEvent),
  'automation.run.failed': delivery('An automation’s run failed or was stopped', RunFailedEvent),
}
