import { type EventStreamOptions, streamEvents, type StreamMessage } from '../event-stream.ts'
import type { SampleEvent } from '../generated/schemas.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** The organization's events on a machine that no webhook can reach. In production, receive webhooks. */
export interface Events {
  /**
   * `for await (const message of client.events.stream({ signal }))`: first `ready`, with the secret that verifies the events, then
   * a `webhook` for each event. Reconnects by itself after a lost connection, and misses nothing of the last hour.
   */
  stream(options?: EventStreamOptions): AsyncIterable<StreamMessage>
  /** Creates a sample event for all listeners. */
  createSample(sample: Input<'events.createSample'>['body'], options?: CallOptions): Promise<SampleEvent>
}

export function makeEvents(transport: Transport): Events {
  return {
    stream: (options = {}) => ({ [Symbol.asyncIterator]: () => streamEvents(transport, options) }),
    createSample: (body, options) => callOperation(transport, 'events.createSample', { body }, options),
  }
}
