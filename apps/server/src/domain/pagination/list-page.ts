import type { Clock } from '../../ports/clock.ts'
import { cutPage } from './cut-page.ts'
import type { ItemKey, KeyedRow, Page, PageRequest } from '../../model/page.ts'
import type { ListCursorCodec, ListPlace } from './list-cursor.ts'

/** One page of a list that shows the current state. */
export async function readListPage<Item>(
  deps: { clock: Clock; listCursors: ListCursorCodec },
  options: {
    place: ListPlace
    request: PageRequest
    /** Returns at most `count` rows after `after`. `lookedUpTo`: the list continues after this key, although fewer rows were found. */
    read(page: { count: number; after?: ItemKey }): Promise<{ rows: KeyedRow<Item>[]; lookedUpTo?: ItemKey | null }>
  },
): Promise<Page<Item>> {
  const { place, request } = options
  const now = deps.clock.now()
  const after = request.cursor === undefined ? undefined : deps.listCursors.decode(request.cursor, place, now)
  const { rows, lookedUpTo } = await options.read({ count: request.limit + 1, ...(after && { after }) })
  const { items, last = lookedUpTo } = cutPage(rows, request.limit)
  return { items, ...(last && { nextCursor: deps.listCursors.encode(place, last, now) }) }
}

export const withKeys = <Item>(items: Item[], keyOf: (item: Item) => ItemKey): KeyedRow<Item>[] =>
  items.map((item) => ({ item, key: keyOf(item) }))
