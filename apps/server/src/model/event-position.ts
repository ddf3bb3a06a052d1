import type { EventType } from './event-type.ts'

/**
 * What a listener has received is a set of events, not a moment: a transaction may commit later than its timestamp says, and later
 * than others that started after it. So it is described by a *snapshot* of the database (`pg_current_snapshot()`), which records
 * exactly which transactions had committed. Snapshots of one database form a chain: each shows everything that the previous one
 * shows.
 *
 * - A *stretch* is what one snapshot shows and another does not: events to send, in the order of their transactions.
 * - A *position* is where a listener is: between two stretches, or within one, after an event.
 *
 * Every frame carries the position after it. A listener that reconnects with a position receives the rest, and nothing twice.
 */
export interface Position {
  /** Everything that this snapshot shows has been sent. */
  seen: string
  /** Within a stretch, what is left of it. */
  rest?: Omit<Stretch, 'seen'>
}

export interface Stretch {
  seen: string
  upTo: string
  /** Events up to this one have been sent. */
  after: EventKey
  /** Older events are left out; an ISO time. */
  notBefore: string
}

export interface EventKey {
  /** The transaction that published it. */
  xid: string
  id: string
}

export interface PublishedEvent extends EventKey {
  type: EventType
  createdAt: Date
  body: string
  isTest: boolean
}
