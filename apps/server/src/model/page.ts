/**
 * Words:
 * - A *sequence* is a first page and the pages that follow it by `nextCursor`. All of it shows one moment: that of the
 *   first page.
 * - A *snapshot* is that moment as the database names it (`pg_current_snapshot()`): which transactions had committed. A
 *   clock cannot name it, since a transaction may commit later than the timestamps it wrote.
 * - A *cursor* carries the snapshot and the key of the last item seen, signed, so that the service keeps nothing between pages.
 */
export type ListName = 'queries' | 'references' | 'chats' | 'automations' | 'boards' | 'folders' | 'trash' | `results of ${string}`

/** The position of an item in its list: newest first. `createdAt` is exact text with microseconds. */
export interface ItemKey {
  createdAt: string
  id: string
}

export const pageSizeDefault = 20
export const pageSizeMaximum = 100

export interface Page<Item> {
  items: Item[]
  /** Absent on the last page. */
  nextCursor?: string
}

export interface PageRequest {
  limit: number
  cursor?: string
}

/** The input and result of a list's statement. */
export interface PageRead {
  organizationId: string
  /** Absent for a first page: the statement's own snapshot then becomes that of the sequence. */
  from?: { snapshot: string; after: ItemKey }
  count: number
}

export interface KeyedRow<Item> {
  item: Item
  key: ItemKey
}

export interface PageRows<Item> {
  snapshot: string
  /** In the list's order, at most `count` of them. */
  rows: KeyedRow<Item>[]
}
