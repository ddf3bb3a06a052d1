import type { EventStreamReady, StreamedEvent } from './generated/schemas.ts'
import { type Input, requestFor } from './operation.ts'
import { streamMessages, type StreamOptions } from './reconnecting-stream.ts'
import type { ServerSentEvent } from './server-sent-events.ts'
import type { Transport } from './transport.ts'

type StreamQuery = NonNullable<Input<'events.stream'>['query']>
export type EventType = StreamedEvent['type']

export interface EventStreamOptions extends StreamOptions {
  /** Only events of these types; by default those of automation runs. */
  types?: EventType[] | undefined
  /** Start with the events since this time; by default from now on. */
  since?: Date | string | undefined
}

/** `position`: where a later stream can resume (`after`). */
export type StreamMessage =
  | ({ kind: 'ready'; position: string } & EventStreamReady)
  | ({ kind: 'webhook'; position: string } & StreamedEvent)

/** Yields everything that happens in the organization while the caller listens. */
export function streamEvents(transport: Transport, options: EventStreamOptions): AsyncGenerator<StreamMessage, void> {
  const { types, since } = options
  const query: StreamQuery = {
    ...(types && types.length > 0 && { type: types }),
    ...(since !== undefined && { since: typeof since === 'string' ? since : since.toISOString() }),
  }
  return streamMessages(transport, options, { request: requestFor('events.stream', { query }), messageOf })
}

function messageOf({ event, data, lastEventId: position }: ServerSentEvent): StreamMessage | undefined {
  if (event === 'ready') return { kind: 'ready', position, ...(JSON.parse(data) as EventStreamReady) }
  if (event === 'webhook') return { kind: 'webhook', position, ...(JSON.parse(data) as StreamedEvent) }
  return undefined
}
