import type { KeyboardEvent } from 'react'
import { type GridSize, headerRow, type Place, type Selection, selectionAfter, singleCell } from './grid-selection.ts'

const resizeStepPx = 24

/** Handles keys while the grid itself has the focus; leaves other keys to the page. */
export function useGridKeys(options: {
  size: GridSize
  pageRows(): number
  selection: Selection | null
  onSelect(selection: Selection): void
  onSort(column: number, isMulti: boolean): void
  onOpen(place: Place): void
  onResize(column: number, byPixels: number): void
  onEscape(): void
}) {
  const { size, selection } = options
  return (event: KeyboardEvent<HTMLElement>): void => {
    if (event.target !== event.currentTarget || size.columnCount === 0) return
    const hasMod = event.metaKey || event.ctrlKey
    const first = { row: size.rowCount === 0 ? headerRow : 0, column: 0 }
    if (act()) event.preventDefault()

    function act(): boolean {
      const { active } = selection ?? singleCell(first)
      if (event.altKey) {
        const byPixels = { ArrowLeft: -resizeStepPx, ArrowRight: resizeStepPx }[event.key]
        if (byPixels === undefined || !selection) return false
        options.onResize(active.column, byPixels)
        return true
      }
      if (event.key === 'Escape' && selection) {
        options.onEscape()
        return true
      }
      if (selection && (event.key === 'Enter' || (event.key === ' ' && active.row === headerRow && !hasMod))) {
        if (active.row === headerRow) options.onSort(active.column, event.shiftKey)
        else options.onOpen(active)
        return true
      }
      const next = selectionAfter(
        selection ?? singleCell(first),
        { key: event.key, hasMod, hasShift: event.shiftKey },
        { ...size, pageRows: options.pageRows() },
      )
      if (!next) return false
      // The first arrow key selects the first cell rather than moving past it.
      options.onSelect(selection || hasMod ? next : singleCell(first))
      return true
    }
  }
}
