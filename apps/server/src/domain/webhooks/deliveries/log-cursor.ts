import type { ItemKey } from '../../../model/page.ts'
import { makeListCursorCodec } from '../../pagination/list-cursor.ts'
import type { LogFilter } from '../../../model/delivery-log.ts'

/** Where a page of an endpoint's log ended. The cursor is bound to the endpoint and to the filters it was issued under. */
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

export function makeLogCursorCodec(options: { secretKey: Uint8Array }): LogCursorCodec {
  const codec = makeListCursorCodec({ ...options, purpose: 'querypost delivery log cursor v1' })
  return {
    encode: (place, after, now) => codec.encode(listOf(place), after, now),
    decode: (text, place, now) => codec.decode(text, listOf(place), now),
  }
}

const listOf = ({ organizationId, endpointId, filter }: LogPlace) => ({
  organizationId,
  list: endpointId,
  filter: nameOf(filter),
})

const nameOf = ({ state, eventType, from, to, found }: LogFilter): string =>
  JSON.stringify([state ?? null, eventType ?? null, from?.getTime() ?? null, to?.getTime() ?? null, found ?? null])
