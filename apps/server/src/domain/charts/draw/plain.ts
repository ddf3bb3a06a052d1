import { type Field, formatCell, isNumeric, type ShownNumber, textOf } from '@querypost/visualization'
import type { Box } from './frame.ts'
import { colors, tag, text } from './svg.ts'

interface Rows {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
}

/** One value, large and exact. */
export function drawNumber({ fields, rows }: Rows, shown: ShownNumber, box: Box): string {
  const at = shown.key === null ? 0 : fields.findIndex(({ name }) => name === shown.key)
  const field = fields[at]
  if (!field || rows.length === 0) return text('No value', { ...centered(box, 0), size: 40, color: colors.soft })
  const value = rows[0]![at]
  const content = `${formatCell(field, value, undefined, 'en') ?? '–'}${shown.unit ?? ''}`
  const size = Math.max(36, Math.min(150, (box.right - box.left) / (Math.max(4, content.length) * 0.7)))
  const maxWidth = box.right - box.left
  return [
    text(content, { ...centered(box, 20), size, isBold: true, maxWidth }),
    text(shown.caption ?? field.name, { ...centered(box, 90), size: 28, color: colors.soft, maxWidth }),
  ].join('')
}

const centered = (box: Box, down: number) =>
  ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 + down, anchor: 'middle' }) as const

export const tablePreview = { rows: 8, columns: 6 }
const rowHeight = 42

/** The first rows and columns. */
export function drawTable({ fields, rows }: Rows, box: Box): string {
  const shown = fields.slice(0, tablePreview.columns)
  const columnWidth = (box.right - box.left) / Math.max(1, shown.length)
  const count = Math.min(tablePreview.rows, Math.floor((box.bottom - box.top) / rowHeight) - 1)
  const line = (content: (field: Field, at: number) => string | null, options: { row: number; isHead: boolean }) =>
    shown.map((field, at) => {
      const isRight = isNumeric(field)
      const left = box.left + at * columnWidth
      return text(content(field, at) ?? 'null', {
        x: isRight ? left + columnWidth - 16 : left,
        y: box.top + options.row * rowHeight + 28,
        size: 20,
        isBold: options.isHead,
        color: options.isHead ? colors.ink : colors.soft,
        maxWidth: columnWidth - 24,
        ...(isRight && { anchor: 'end' as const }),
      })
    })
  const above = (row: number) => {
    const y = box.top + row * rowHeight
    return tag('line', { x1: box.left, x2: box.right, y1: y, y2: y, stroke: colors.line })
  }
  const body = rows.slice(0, count).map((row, at) => {
    const cells = line((field, column) => textOf(field, row[column]), { row: at + 1, isHead: false })
    return above(at + 1) + cells.join('')
  })
  return [...line(({ name }) => name, { row: 0, isHead: true }), ...body].join('')
}
