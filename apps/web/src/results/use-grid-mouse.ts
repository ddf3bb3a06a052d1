import { type MouseEvent, useEffect, useRef } from 'react'
import { type GridSize, type Place, type Selection, singleCell } from './grid-selection.ts'

/** Selection by mouse: drag, extend with Shift, or click a row number to select the row. */
export function useGridMouse(
  options: GridSize & { selection: Selection | null; onSelect(selection: Selection): void; onOpen(place: Place): void },
) {
  const { selection, columnCount } = options
  const isDragging = useRef(false)
  useEffect(() => {
    const end = () => {
      isDragging.current = false
    }
    window.addEventListener('mouseup', end)
    return () => window.removeEventListener('mouseup', end)
  }, [])

  const rowFrom = (row: number, anchorRow: number): Selection => ({
    anchor: { row: anchorRow, column: 0 },
    active: { row, column: columnCount - 1 },
  })

  function extendTo(place: Place): void {
    if (!selection) return
    if (place.column === -1) options.onSelect(rowFrom(place.row, selection.anchor.row))
    else options.onSelect({ anchor: selection.anchor, active: place })
  }

  return {
    onMouseDown(event: MouseEvent) {
      const place = placeOf(event)
      if (!place || event.button !== 0) return
      isDragging.current = true
      if (event.shiftKey && selection) extendTo(place)
      else options.onSelect(place.column === -1 ? rowFrom(place.row, place.row) : singleCell(place))
    },
    onMouseOver(event: MouseEvent) {
      const place = isDragging.current ? placeOf(event) : undefined
      if (place) extendTo(place)
    },
    onDoubleClick(event: MouseEvent) {
      const place = placeOf(event)
      if (place && place.column !== -1) options.onOpen(place)
    },
  }
}

/** The cell under the pointer. Column -1 has the numbers of the rows. */
export function placeOf(event: { target: EventTarget }): Place | undefined {
  const cell = (event.target as Element).closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  return cell && row ? { row: Number(row.dataset['row']), column: Number(cell.dataset['column']) } : undefined
}
