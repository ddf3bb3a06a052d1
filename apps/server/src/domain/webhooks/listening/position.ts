import type { EventKey, Position, Stretch } from '../../../model/event-position.ts'
import { makeTextSigner } from '../../pagination/signed-text.ts'

/** A snapshot that shows nothing. */
export const emptySnapshot = '1:1:'
export const beforeFirstEvent: EventKey = { xid: '0', id: '' }
export const anyAge = '1970-01-01T00:00:00.000Z'

/** The position after an event of a stretch. After the last event it is the end of the stretch. */
export function positionAfter(stretch: Stretch, { xid, id }: EventKey, { isLast }: { isLast: boolean }): Position {
  const { seen, ...rest } = stretch
  return isLast ? { seen: stretch.upTo } : { seen, rest: { ...rest, after: { xid, id } } }
}

/** Encodes a position as text that a listener keeps. It is valid only in the same organization and database. */
export interface PositionCodec {
  encode(place: PositionPlace, position: Position): string
  /** Undefined if it was not issued there. */
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
