import { assignSlots } from './assign-slots.ts'
import { measureCharacters } from './fitting-text.ts'
import type { GridContent } from './grid-content.ts'
import { makeGridRow } from './grid-row.ts'
import { inOrder } from './in-order.ts'
import type { RowRange } from './rows-near.ts'

export interface GridBody {
  draw(content: GridContent, rows: RowRange, columns: number[]): void
  /** Puts the elements in the order of rows and columns, in which screen readers read them. Moving elements is too expensive while scrolling. */
  restoreOrder(): void
  clear(): void
}

/** Columns differ in width, so the number of those in view changes with every few of them. */
const spareColumns = 3

/**
 * The rows of a grid that are in the document. Elements of rows that leave the view show those that come into it. This is not done with React:
 * most of a frame of quick scrolling would be spent on elements that are made and removed.
 */
export function makeGridBody(host: HTMLElement): GridBody {
  const widths = measureCharacters(getComputedStyle(host).font)
  let rows: ReturnType<typeof makeGridRow>[] = []
  let rowSlots: number[] = []
  let columnSlots: number[] = []
  let drawn: GridContent | undefined

  function clear(): void {
    host.replaceChildren()
    rows = []
    rowSlots = []
    columnSlots = []
  }

  return {
    clear,
    draw(content, { first, end }, columns) {
      if (content.fields.length !== drawn?.fields.length || content.isPinned !== drawn.isPinned) clear()
      const isChanged = content !== drawn
      drawn = content
      columnSlots = assignSlots(columnSlots, content.isPinned ? columns.filter((column) => column !== 0) : columns, spareColumns)
      rowSlots = assignSlots(rowSlots, Array.from({ length: end - first }, (_, at) => first + at))
      for (const surplus of rows.splice(rowSlots.length)) surplus.element.remove()
      while (rows.length < rowSlots.length) {
        const row = makeGridRow({ widths, isPinned: content.isPinned })
        rows.push(row)
        host.append(row.element)
      }
      rows.forEach((row, slot) => row.show(content, { row: rowSlots[slot]!, columns: columnSlots, isChanged }))
    },
    restoreOrder() {
      inOrder(host, rows.map((row, slot) => ({ element: row.element, at: rowSlots[slot]! })))
      for (const row of rows) row.restoreOrder()
    },
  }
}
