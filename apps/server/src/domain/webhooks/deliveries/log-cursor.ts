import { foreignCursor, invalidCursor, type ItemKey, requireFresh } from '../../pagination/cursor.ts'
import { makeTextSigner } from '../../pagination/signed-text.ts'
import type { LogFilter } from './delivery-log.ts'

/**
 * Where a page of an endpoint's log ended. The cursor is bound to the endpoint and to the filters it was issued under: the
 * next page is asked for with the same ones. A change of filter in the middle of a sequence is refused, not guessed at.
 */
export interface LogPlace {
  organizationId: string
  endpointId: string
  filter: LogFilter
}

export interface LogCursorCodec {
  encode(place: LogPlace, after: ItemKey, now: Date): string
  /** Refuses with `cursor_invalid` or `cursor_expired`. */
  decode(text: string, place: LogPlace, now: Date): ItemKey
}

type Fields = [
  organizationId: string,
  endpointId: string,
  filter: string,
  createdAt: string,
  id: string,
  issuedMs: number,
]

export function makeLogCursorCodec(options: { secretKey: Uint8Array }): LogCursorCodec {
  const signer = makeTextSigner({ ...options, purpose: 'querypost delivery log cursor v1' })
  return {
    encode({ organizationId, endpointId, filter }, after, now) {
      const fields: Fields = [organizationId, endpointId, nameOf(filter), after.createdAt, after.id, now.getTime()]
      return signer.encode(fields)
    },
    decode(text, place, now) {
      const fields = signer.decode(text) as Fields | undefined
      if (fields?.[0] !== place.organizationId) throw foreignCursor()
      const [, endpointId, filter, createdAt, id, issuedMs] = fields
      if (endpointId !== place.endpointId) throw invalidCursor('it belongs to another list')
      if (filter !== nameOf(place.filter)) throw invalidCursor('it was issued under other filters')
      requireFresh({ issuedAt: new Date(issuedMs) }, now)
      return { createdAt, id }
    },
  }
}

const nameOf = ({ state, eventType, from, to }: LogFilter): string =>
  JSON.stringify([state ?? null, eventType ?? null, from?.getTime() ?? null, to?.getTime() ?? null])
