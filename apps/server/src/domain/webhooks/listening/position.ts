import { makeTextSigner } from '../../pagination/signed-text.ts'
import type { EventType } from '../events/event.ts'

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

/** A snapshot that shows nothing. */
export const nothingSeen = '1:1:'
export const fromTheFirst: EventKey = { xid: '0', id: '' }
export const ofAnyAge = '1970-01-01T00:00:00.000Z'

/** Where a listener stands after an event of a stretch. The last one brings it to the stretch's end. */
export function positionAfter(stretch: Stretch, { xid, id }: EventKey, { isLast }: { isLast: boolean }): Position {
  const { seen, ...rest } = stretch
  return isLast ? { seen: stretch.upTo } : { seen, rest: { ...rest, after: { xid, id } } }
}

/** A position as the text that a listener keeps. It means nothing in another organization, nor in another database. */
export interface PositionCodec {
  encode(place: PositionPlace, position: Position): string
  /** Undefined for what was not issued there. */
  decode(place: PositionPlace, text: string): Position | undefined
}

export interface PositionPlace {
  organizationId: string
  systemIdentifier: string
}

type Fields = [organizationId: string, systemIdentifier: string, position: Position]

export function makePositionCodec(options: { secretKey: Uint8Array }): PositionCodec {
  const signer = makeTextSigner({ ...options, purpose: 'querypost event position v1' })
  return {
    encode({ organizationId, systemIdentifier }, position) {
      const fields: Fields = [organizationId, systemIdentifier, position]
      return signer.encode(fields)
    },
    decode(place, text) {
      const fields = signer.decode(text) as Fields | undefined
      const isFromHere = fields?.[0] === place.organizationId && fields[1] === place.systemIdentifier
      return isFromHere ? fields[2] : undefined
    },
  }
}
