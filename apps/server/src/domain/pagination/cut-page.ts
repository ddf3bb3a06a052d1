import type { ItemKey, KeyedRow } from '../../model/page.ts'

/**
 * The items of a page, from rows of which one more was asked for than the page holds. `last` is where the next page goes on; it is absent
 * when there is none.
 */
export function cutPage<Item>(rows: readonly KeyedRow<Item>[], limit: number): { items: Item[]; last?: ItemKey } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.key : undefined
  return { items: shown.map(({ item }) => item), ...(last && { last }) }
}
