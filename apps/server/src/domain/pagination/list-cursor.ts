import { foreignCursor, invalidCursor, requireFresh } from './cursor.ts'
import type { ItemKey } from '../../model/page.ts'
import { makeTextSigner } from './signed-text.ts'

/**
 * Where a page ended of a list that shows what is so now, unlike the published ones, which show one moment (`cursor.ts`). The
 * cursor is bound to the list, and to the filters it was issued under: the next page is asked for with the same ones. A change of
 * filter in the middle of a sequence is refused, not guessed at.
 */
export interface ListPlace {
  organizationId: string
  /** Names the list within the organization. */
  list: string
  /** The filters as a text; the same filters give the same text. */
  filter?: string
}

export interface ListCursorCodec {
  encode(place: ListPlace, after: ItemKey, now: Date): string
  /** Refuses with `cursor_invalid` or `cursor_expired`. */
  decode(text: string, place: ListPlace, now: Date): ItemKey
}

type Fields = [organizationId: string, list: string, filter: string, createdAt: string, id: string, issuedMs: number]

/** `purpose` keeps the cursors of one family of lists from being taken for those of another. */
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
      if (filter !== (place.filter ?? '')) throw invalidCursor('it was issued under other filters')
      requireFresh({ issuedAt: new Date(issuedMs) }, now)
      return { createdAt, id }
    },
  }
}
