import { foreignCursor, invalidCursor, requireFresh } from './cursor.ts'
import type { ItemKey } from '../../model/page.ts'
import { makeTextSigner } from './signed-text.ts'

/**
 * A position in a list that shows the current state, unlike the published lists, which show one moment (`cursor.ts`). The cursor is
 * bound to the list and to its filters, so the next page must be requested with the same filters. Changing a filter within a
 * sequence is rejected.
 */
export interface ListPlace {
  organizationId: string
  /** Identifies the list within the organization. */
  list: string
  /** The filters as text; equal filters give equal text. */
  filter?: string
}

export interface ListCursorCodec {
  encode(place: ListPlace, after: ItemKey, now: Date): string
  /** Throws `cursor_invalid` or `cursor_expired`. */
  decode(text: string, place: ListPlace, now: Date): ItemKey
}

type Fields = [organizationId: string, list: string, filter: string, createdAt: string, id: string, issuedMs: number]

/** `purpose` keeps cursors of different families of lists apart. */
export function makeListCursorCodec(options: { secretKey: Uint8Array; purpose: string }): ListCursorCodec {
  const signer = makeTextSigner(options)
  return {
    encode({ organizationId, list, filter = '' }, after, now) {
      const fields: Fields = [organizationId, list, filter, after.createdAt, after.id, now.getTime()]
      return signer.encode(fields)
    },
    decode(text, place, now) {
      const fields = signer.decode(text) as Fields | undefined
      if (fields?.[0] !== place.organizationId) throw foreignCursor()
      const [, list, filter, createdAt, id, issuedMs] = fields
      if (list !== place.list) throw invalidCursor('it belongs to another list')
      if (filter !== (place.filter ?? '')) throw invalidCursor('it was issued for other filters')
      requireFresh({ issuedAt: new Date(issuedMs) }, now)
      return { createdAt, id }
    },
  }
}
