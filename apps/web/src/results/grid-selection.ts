/**
 * Which cells of a grid are marked. The *active* cell is where the keyboard is; the *anchor* is where marking began. What is
 * marked is the rectangle between the two, so it costs the same however many cells that are.
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

export const at = (place: Place): Selection => ({ anchor: place, active: place })

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

/** Row -1 is that of the names: from there a column is sorted. */
export const headerRow = -1

/** Where a key leads; undefined: it is not a key of the grid. Shift keeps the anchor where it is. */
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
  return hasShift && selection.anchor.row !== headerRow ? { anchor: selection.anchor, active: place } : at(place)
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
