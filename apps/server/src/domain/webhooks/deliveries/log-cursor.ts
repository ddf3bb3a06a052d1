import { type ListCursorCodec, type ListPlace, makeListCursorCodec } from '../../pagination/list-cursor.ts'
import type { LogFilter } from '../../../model/delivery-log.ts'

/** Cursors for the delivery logs of endpoints; no other list accepts them. */
export const makeLogCursorCodec = (options: { secretKey: Uint8Array }): ListCursorCodec =>
  makeListCursorCodec({ ...options, purpose: 'querypost delivery log cursor v1' })

/** An endpoint's log with these filters. */
export const logPlace = (log: { organizationId: string; endpointId: string; filter: LogFilter }): ListPlace => ({
  organizationId: log.organizationId,
  list: log.endpointId,
  filter: nameOf(log.filter),
})

const nameOf = ({ state, eventType, from, to, found }: LogFilter): string =>
  JSON.stringify([state ?? null, eventType ?? null, from?.getTime() ?? null, to?.getTime() ?? null, found ?? null])
