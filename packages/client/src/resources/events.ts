import { type EventStreamOptions, streamEvents, type StreamMessage } from '../event-stream.ts'
import type { SampleEvent } from '../generated/schemas.ts'
import { callOperation, type Input } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

/** The organization's events on a machine that no webhook can reach. For production, receive webhooks. */
export interface Events {
  /**
   * `for await (const message of client.events.stream({ signal }))`: `ready` first, with the secret that verifies
   * what comes, then a `webhook` for each event. Goes on by itself after a lost connection, and misses nothing of the
   * last hour.
   */
  stream(options?: EventStreamOptions): AsyncIterable<StreamMessage>
  /** Makes an event that looks like a real one, for all who listen. Not sent again when it may have arrived. */
  createSample(sample: Input<'events.createSample'>['body'], options?: CallOptions): Promise<SampleEvent>
}

export function makeEvents(transport: Transport): Events {
  return {
    stream: (options = {}) => ({ [Symbol.asyncIterator]: () => streamEvents(transport, options) }),
    createSample: (body, options) => callOperation(transport, 'events.createSample', { body }, options),
  }
}
