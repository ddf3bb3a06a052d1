import { type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { nothingSelected, toggled } from './selection.ts'

/** What a list needs to choose several of its items. */
export interface ListSelection<Item> {
  /** In the order of the list. */
  items: Item[]
  isSelected(item: Item): boolean
  /** Always the same function, so that only rows that changed are rendered again. */
  toggle(this: void, item: Item, isRange: boolean): void
  selectAll(): void
  clear(): void
  /** For the list: `x` chooses the focused row, with Shift all rows since the last one. Escape chooses none. */
  onKeyDown(event: KeyboardEvent): void
}

/** Items that are no longer listed are no longer chosen. */
export function useSelection<Item extends { shortId: string }>(items: readonly Item[]): ListSelection<Item> {
  const [selection, setSelection] = useState(nothingSelected)
  const latest = useRef(items)
  useLayoutEffect(() => {
    latest.current = items
  }, [items])
  const order = () => latest.current.map(({ shortId }) => shortId)
  const selected = items.filter(({ shortId }) => selection.keys.has(shortId))
  const toggle = useCallback(
    ({ shortId }: Item, isRange: boolean) => setSelection((before) => toggled(before, shortId, { order: order(), isRange })),
    [],
  )
  const clear = () => setSelection(nothingSelected)
  return {
    items: selected,
    isSelected: ({ shortId }) => selection.keys.has(shortId),
    toggle,
    selectAll: () => setSelection({ keys: new Set(order()), anchor: undefined }),
    clear,
    onKeyDown(event) {
      if (event.altKey || event.ctrlKey || event.metaKey) return
      if (event.key === 'Escape' && selected.length > 0) {
        event.preventDefault()
        clear()
      }
      if (event.key.toLowerCase() !== 'x' || !(event.target instanceof Element)) return
      const rows = [...event.currentTarget.children]
      const item = items[rows.findIndex((row) => row.contains(event.target as Element))]
      if (!item) return
      event.preventDefault()
      toggle(item, event.shiftKey)
    },
  }
}
