import type { ItemKey, KeyedRow } from '../../model/page.ts'

/** The items of a page, given one more row than the page holds. `last` is where the next page continues; absent if there is none. */
export function cutPage<Item>(rows: readonly KeyedRow<Item>[], limit: number): { items: Item[]; last?: ItemKey } {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1)?.key : undefined
  return { items: shown.map(({ item }) => item), ...(last && { last }) }
}
