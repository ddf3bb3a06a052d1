/**
 * The selected cells of a grid. The *active* cell has the keyboard focus; the *anchor* is where the selection started. The
 * selection is the rectangle between the two, so its cost does not depend on the number of cells.
 */
export interface Place {
  row: number
  column: number
}

export interface Selection {
  anchor: Place
  active: Place
}

export interface GridSize {
  rowCount: number
  columnCount: number
}

export interface Bounds {
  firstRow: number
  lastRow: number
  firstColumn: number
  lastColumn: number
}

export const singleCell = (place: Place): Selection => ({ anchor: place, active: place })

export function boundsOf({ anchor, active }: Selection): Bounds {
  return {
    firstRow: Math.min(anchor.row, active.row),
    lastRow: Math.max(anchor.row, active.row),
    firstColumn: Math.min(anchor.column, active.column),
    lastColumn: Math.max(anchor.column, active.column),
  }
}

export const cellCount = ({ firstRow, lastRow, firstColumn, lastColumn }: Bounds) =>
  (lastRow - firstRow + 1) * (lastColumn - firstColumn + 1)

export interface GridKey {
  key: string
  /** Control, or Command on a Mac. */
  hasMod: boolean
  hasShift: boolean
}

/** The header row, where a column can be sorted. */
export const headerRow = -1

/** The selection after a key press; undefined if the grid does not handle the key. Shift keeps the anchor. */
export function selectionAfter(
  selection: Selection,
  pressed: GridKey,
  { rowCount, columnCount, pageRows }: GridSize & { pageRows: number },
): Selection | undefined {
  const { key, hasMod, hasShift } = pressed
  const { active } = selection
  const last = { row: rowCount - 1, column: columnCount - 1 }
  if (key === 'a' && hasMod) return { anchor: { row: 0, column: 0 }, active: last }
  if (key === ' ' && hasMod) return { anchor: { row: 0, column: active.column }, active: { row: last.row, column: active.column } }
  if (key === ' ' && hasShift && active.row !== headerRow) {
    return { anchor: { row: active.row, column: 0 }, active: { row: active.row, column: last.column } }
  }
  const target = targetOf(active, { key, hasMod }, { last, pageRows })
  if (!target) return undefined
  const firstRow = hasShift ? 0 : headerRow
  const place = {
    row: Math.max(firstRow, Math.min(last.row, target.row)),
    column: Math.max(0, Math.min(last.column, target.column)),
  }
  return hasShift && selection.anchor.row !== headerRow ? { anchor: selection.anchor, active: place } : singleCell(place)
}

function targetOf(
  { row, column }: Place,
  { key, hasMod }: Pick<GridKey, 'key' | 'hasMod'>,
  { last, pageRows }: { last: Place; pageRows: number },
): Place | undefined {
  switch (key) {
    case 'ArrowUp':
      return { row: hasMod ? Math.min(row, 0) : row - 1, column }
    case 'ArrowDown':
      return { row: hasMod ? last.row : row + 1, column }
    case 'ArrowLeft':
      return { row, column: hasMod ? 0 : column - 1 }
    case 'ArrowRight':
      return { row, column: hasMod ? last.column : column + 1 }
    case 'Home':
      return { row: hasMod ? 0 : row, column: 0 }
    case 'End':
      return { row: hasMod ? last.row : row, column: last.column }
    case 'PageUp':
      return { row: Math.max(Math.min(row, 0), row - pageRows), column }
    case 'PageDown':
      return { row: row + pageRows, column }
    default:
      return undefined
  }
}
