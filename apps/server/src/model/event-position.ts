import type { EventType } from './event-type.ts'

/**
 * What a listener has been told is a set of events, not a moment: a transaction may commit later than its timestamp
 * says, and later than others that began after it. So it is said by a *snapshot* of the database
 * (`pg_current_snapshot()`), which knows exactly whose commit came before it. Snapshots of one database are a chain:
 * each shows all that the one before it shows.
 *
 * - A *stretch* is what one snapshot shows and another does not: events to tell, in the order of their transactions.
 * - A *position* is where a listener stands: between two stretches, or within one, after an event.
 *
 * Every frame carries the position after it. Who comes again with that is told the rest, and nothing twice.
 */
export interface Position {
  /** Everything that this snapshot shows has been told. */
  seen: string
  /** Within a stretch, what is left of it. */
  rest?: Omit<Stretch, 'seen'>
}

export interface Stretch {
  seen: string
  upTo: string
  /** Events up to this one have been told. */
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
