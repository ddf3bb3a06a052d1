import type { BenchEndpoint } from '../endpoints.ts'

/** A contestant: something that delivers what is queued. */
export interface Sender {
  /** Its own process, and what stores its queue. */
  pids: { sender: number; store?: { pid: number; isFamily: boolean } }
  /** Queues this many deliveries without beginning to send them. */
  load(count: number): Promise<void>
  begin(): Promise<void>
  /** Resolves when nothing is under way any more and the queue is empty. */
  end(): Promise<void>
  stop(): Promise<void>
}

/** What a contestant's process is asked over IPC. */
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
  /** Of the queue's store; the bare loop has none. */
  storeUrl?: string
  /** `plain`: one job at a time in as many places as there are connections, before anything is set for throughput. */
  style?: Style
}
