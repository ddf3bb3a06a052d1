import { add, decimalText, readDecimal, zero } from '@querypost/answers'
import type { CellFormatter } from '../cell-formatter.ts'
import { type ChartElement, textProp } from '../chart-element.ts'
import { columnTitle, findSettings } from '../column-settings.ts'
import { type Column, findColumn } from '../columns.ts'
import { isTime, numberOf, textOf, timeText } from '../fields.ts'
import { formatter } from '../format.ts'
import type { Series } from '../shape.ts'
import type { ChartInput, DrawnSeries } from './prepared-chart.ts'
import { timeLabels } from './time-labels.ts'

/** A column of the result together with the way people read it. */
export interface DrawnColumn extends Column {
  title: string
  format: CellFormatter
}

export function drawnColumn({ fields, columns, locale }: ChartInput, name: string): DrawnColumn | undefined {
  const column = findColumn(fields, name)
  if (!column) return undefined
  const settings = findSettings(columns, name)
  return { ...column, title: columnTitle({ name }, settings), format: formatter(column.field, settings, locale) }
}

/** Labels of categories: brief for moments, exact for everything else, unless the column's settings say how. */
export function labelsFor({ columns, locale }: ChartInput, { field }: Column, values: readonly unknown[]): (value: unknown) => string {
  const settings = findSettings(columns, field.name)
  if (settings?.format) {
    const format = formatter(field, settings, locale, values)
    return (value) => format(typeof value === 'number' && isTime(field) ? timeText(field, value) : value) ?? 'null'
  }
  if (isTime(field)) return timeLabels(values, locale)
  return (value) => textOf(field, value) ?? 'null'
}

/** Added up exactly, as decimal text; a single value stays as it is. Null if none of the rows has a number. */
export function exactValue({ rows }: Pick<ChartInput, 'rows'>, column: Column, rowNumbers: readonly number[]): unknown {
  if (rowNumbers.length === 1) return column.valueIn(rows[rowNumbers[0]!]!)
  let sum = zero
  let count = 0
  for (const row of rowNumbers) {
    const value = column.valueIn(rows[row]!)
    const decimal = numberOf(value) === null ? undefined : readDecimal(value)
    if (!decimal) continue
    sum = add(sum, decimal)
    count++
  }
  return count === 0 ? null : decimalText(sum)
}

/** What all kinds of series have in common. */
export function seriesBase(column: DrawnColumn, { kind, color, part, stackId }: Series): Omit<DrawnSeries, 'values' | 'textAt' | 'rowsAt'> {
  const { yAxisId, xAxisId } = part.props
  const axisId = yAxisId ?? xAxisId
  return {
    kind,
    name: textProp(part, 'name') ?? column.title,
    color,
    part,
    field: column.field,
    stackId,
    axisId: typeof axisId === 'string' || typeof axisId === 'number' ? String(axisId) : '0',
    isShare: false,
    derivedFrom: null,
    colorAt: () => null,
  }
}

/** The exact text of a value; a dash where there is none. */
export function valueText({ format }: DrawnColumn, part: ChartElement, value: unknown): string {
  const text = format(value)
  if (text === null) return '–'
  const unit = textProp(part, 'unit') ?? ''
  return unit.trim() === '%' && text.endsWith('%') ? text : `${text}${unit}`
}

/** A `Cell` colors the row at its place. */
export function cellColors(part: ChartElement): (row: number | undefined) => string | null {
  const cells = part.children.filter(({ name }) => name === 'Cell')
  return (row) => (row === undefined || !cells[row] ? null : (textProp(cells[row], 'fill') ?? null))
}

export const countText = (count: number, noun: string, format: Intl.NumberFormat) =>
  `${format.format(count)} ${count === 1 ? noun : `${noun}s`}`
