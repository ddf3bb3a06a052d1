import {
  type ColumnSettings,
  columnTitle,
  type Field,
  findSettings,
  formatters,
  isNumeric,
  pivot,
  type PivotConfig,
  readKpi,
  shownColumns,
  type ShownNumber,
} from '@querypost/visualization'
import type { Box } from './frame.ts'
import { colors, tag, text, widthOf } from './svg.ts'

interface Rows {
  fields: readonly Field[]
  rows: readonly (readonly unknown[])[]
  columns?: readonly ColumnSettings[] | undefined
}

const locale = 'en'

/** One value, large and exact, with what it is compared with and its course. */
export function drawNumber({ fields, rows, columns }: Rows, shown: ShownNumber, box: Box): string {
  const kpi = rows.length === 0 ? null : readKpi({ fields, rows, shown, locale, ...(columns && { columns }) })
  if (!kpi || kpi.problems.length > 0) return text('No value', { ...centered(box, 0), size: 40, color: colors.soft })
  const maxWidth = box.right - box.left
  const { comparison, target, sparkline } = kpi
  const change = comparison && `${comparison.percent ?? comparison.difference} from ${comparison.previous} (${comparison.period})`
  const goal = target && (target.shareText === null ? `Target ${target.text}` : `${target.shareText} of the target ${target.text}`)
  const below = [[kpi.caption, kpi.period].filter((each) => each !== null).join(' · '), change, goal].filter((each) => each !== null)
  const top = sparkline ? -90 : below.length > 1 ? -30 : 0
  // Digits are about three quarters as high as their font size.
  const heightAbove = (box.bottom - box.top) / 2 + 20 + top
  const size = Math.max(36, Math.min(150, maxWidth / (Math.max(4, kpi.text.length) * 0.7), heightAbove / 0.75))
  return [
    text(kpi.text, { ...centered(box, 20 + top), size, isBold: true, maxWidth }),
    ...below.map((line, at) => text(line, { ...centered(box, 90 + top + at * 42), size: 28, color: colors.soft, maxWidth })),
    sparkline ? drawSparkline(sparkline, { ...box, left: box.left + 240, right: box.right - 240, top: box.bottom - 80 }) : '',
  ].join('')
}

/** The course of the values, without axes. A missing value leaves a gap. */
function drawSparkline(values: readonly (number | null)[], box: Box): string {
  const known = values.filter((value) => value !== null)
  const low = known.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
  const high = known.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
  const x = (at: number) => box.left + ((box.right - box.left) * at) / Math.max(1, values.length - 1)
  const y = (value: number) => box.bottom - (high === low ? 0.5 : (value - low) / (high - low)) * (box.bottom - box.top)
  const place = (at: number, value: number) => `${x(at).toFixed(1)} ${y(value).toFixed(1)}`
  const path = values.map((value, at) => (value === null ? '' : `${at === 0 || values[at - 1] === null ? 'M' : 'L'}${place(at, value)}`)).join('')
  return tag('path', { d: path, fill: 'none', stroke: colors.accent, 'stroke-width': 4, 'stroke-linejoin': 'round' })
}

const centered = (box: Box, down: number) =>
  ({ x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 + down, anchor: 'middle' }) as const

export const tablePreview = { rows: 8, columns: 6 }
const rowHeight = 42

/** The first rows and columns, as the table on the page shows them. */
export function drawTable({ fields, rows, columns }: Rows, box: Box): string {
  const places = shownColumns(fields, columns).slice(0, tablePreview.columns)
  const formats = formatters(fields, rows, columns, locale)
  const isRight = places.map((at) => isNumeric(fields[at]!))
  const heads = places.map((at) => columnTitle(fields[at]!, findSettings(columns, fields[at]!.name)))
  const body = rows.map((row) => places.map((at) => formats[at]!(row[at]) ?? 'null'))
  return drawLines([heads], body.map((cells) => ({ cells, isStrong: false })), { isRight, box })
}

/** The first lines and columns of a pivot table. */
export function drawPivot({ fields, rows, columns }: Rows, config: PivotConfig, box: Box): string | null {
  const limits = { lines: tablePreview.rows, columns: tablePreview.columns }
  const table = pivot({ fields, rows, config, limits, locale, ...(columns && { columns }) })
  if (table.problems.length > 0) return null
  const heads = table.headers.map((level, at) => [
    ...table.labelTitles.map((title) => (at === table.headers.length - 1 ? title : '')),
    ...level.flatMap(({ text: head, span }) => [head, ...Array.from({ length: span - 1 }, () => '')]),
  ])
  const lines = table.lines.map(({ labels, cells, kind }) => ({
    cells: [...labels.map(({ text: label, isRepeated }) => (isRepeated ? '' : label)), ...cells.map((cell) => cell.text)],
    isStrong: kind !== 'row',
  }))
  const isRight = (heads[0] ?? []).map((_, at) => at >= table.labelTitles.length)
  return drawLines(heads, lines, { isRight, box })
}

interface Line {
  cells: string[]
  isStrong: boolean
}

const cellSizes = [20, 18, 16]
const cellGap = 24

/** The largest text with which every cell fits, the remaining width shared among the columns. If none does, cells are shortened. */
function layOut(lines: Line[], { count, width }: { count: number; width: number }): { size: number; widths: number[] } {
  for (const size of cellSizes) {
    const needed = Array.from({ length: count }, (_, at) =>
      Math.ceil(Math.max(...lines.map(({ cells, isStrong }) => widthOf(cells[at] ?? '', { size, isBold: isStrong }) + cellGap))),
    )
    const spare = (width - needed.reduce((sum, each) => sum + each, 0)) / count
    if (spare >= 0) return { size, widths: needed.map((each) => each + spare) }
  }
  return { size: cellSizes[0]!, widths: Array.from({ length: count }, () => width / count) }
}

/** As many lines as fit, below the heads. */
function drawLines(heads: string[][], lines: Line[], { isRight, box }: { isRight: boolean[]; box: Box }): string {
  const count = Math.floor((box.bottom - box.top) / rowHeight) - heads.length
  const drawn = [...heads.map((cells) => ({ cells, isStrong: true })), ...lines.slice(0, count)]
  const { size, widths } = layOut(drawn, { count: isRight.length, width: box.right - box.left })
  const lefts = widths.map((_, at) => box.left + widths.slice(0, at).reduce((sum, width) => sum + width, 0))
  return drawn
    .map(({ cells, isStrong }, row) => {
      const y = box.top + row * rowHeight
      const rule = row < heads.length ? '' : tag('line', { x1: box.left, x2: box.right, y1: y, y2: y, stroke: colors.line })
      const texts = cells.map((cell, at) => {
        const [left, width] = [lefts[at]!, widths[at]!]
        return text(cell, {
          x: isRight[at] ? left + width - 16 : left,
          y: y + 28,
          size,
          isBold: isStrong,
          color: isStrong ? colors.ink : colors.soft,
          maxWidth: width - cellGap,
          ...(isRight[at] && { anchor: 'end' as const }),
        })
      })
      return rule + texts.join('')
    })
    .join('')
}
