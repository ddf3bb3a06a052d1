import type { Field } from '../api/first-rows.ts'
import { cellText } from './cell.ts'
import type { Bounds } from './grid-selection.ts'

/**
 * The selected cells as tab-separated text for spreadsheets: one line per row, values quoted where they contain tabs, line
 * breaks or quotes. A single cell is copied as plain text, null as nothing, and whole columns with their names.
 */
export function copyText(options: {
  fields: Field[]
  rowAt(row: number): unknown[]
  rowCount: number
  bounds: Bounds
}): string {
  const { fields, rowAt, rowCount, bounds } = options
  const { firstRow, lastRow, firstColumn, lastColumn } = bounds
  const columns = fields.slice(firstColumn, lastColumn + 1)
  const textAt = (row: number, column: number) => cellText(fields[column]!.type, rowAt(row)[column]) ?? ''
  if (firstRow === lastRow && firstColumn === lastColumn) return textAt(firstRow, firstColumn)
  const lines: string[] = []
  if (firstRow === 0 && lastRow === rowCount - 1 && rowCount > 1) lines.push(columns.map(({ name }) => quoted(name)).join('\t'))
  for (let row = firstRow; row <= lastRow; row++) {
    lines.push(columns.map((_, at) => quoted(textAt(row, firstColumn + at))).join('\t'))
  }
  return lines.join('\n')
}

function quoted(text: string): string {
  return /[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
