import type { BenchEndpoint } from '../endpoints.ts'

/** A sender in the comparison: delivers what is queued. */
export interface Sender {
  /** Its process, and the process that stores its queue. */
  pids: { sender: number; store?: { pid: number; isFamily: boolean } }
  /** Queues this many deliveries without sending them yet. */
  load(count: number): Promise<void>
  begin(): Promise<void>
  /** Resolves when nothing is in progress and the queue is empty. */
  end(): Promise<void>
  stop(): Promise<void>
}

/** IPC messages to the process of a sender. */
export type SenderRequest =
  | ({ act: 'open' } & SenderOptions)
  | { act: 'load'; count: number }
  | { act: 'begin' }
  | { act: 'end' }
  | { act: 'stop' }

export type Style = 'batched' | 'plain'

export interface SenderOptions {
  endpoints: BenchEndpoint[]
  connectionsEach: number
  authority: string
  /** The URL of the queue's store; the bare loop has none. */
  storeUrl?: string
  /** `plain`: default configuration, one job per connection, without tuning for throughput. */
  style?: Style
}
