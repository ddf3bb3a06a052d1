import { headerHeight, rowHeight } from './grid-sizes.ts'

/** Rows that are rendered above and below the visible ones: the browser scrolls before the page can react. */
const overscan = 8

export interface RowRange {
  first: number
  /** Exclusive. */
  end: number
}

/** The rows to render. Their number is the same wherever the table is scrolled to, so that none need to be added or removed. */
export function rowsNear({ top, height }: { top: number; height: number }, rowCount: number): RowRange {
  const size = Math.ceil(height / rowHeight) + 1 + 2 * overscan
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight) - overscan, rowCount - size))
  return { first, end: Math.min(rowCount, first + size) }
}

/** How far to scroll so that a row is visible between the header and the totals: no further than necessary. */
export function scrollTopToShow(row: number, { top, height, hasTotals }: { top: number; height: number; hasTotals: boolean }): number {
  const highest = (row + 1) * rowHeight - (height - headerHeight - (hasTotals ? rowHeight : 0))
  return Math.max(highest, Math.min(top, row * rowHeight))
}
