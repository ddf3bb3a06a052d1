import { type ChartElement, type ChartLine, findColumn, isTime, numberOf, readChoice, textOf } from '@querypost/visualization'
import type { Rows } from './draft.ts'

/** A target line to start with: near the highest value, so that it is visible. */
export function newTarget(chart: ChartElement, { fields, rows }: Rows): ChartLine {
  const [first] = readChoice(chart).series
  const column = first && findColumn(fields, first.key)
  const numbers = column ? rows.map((row) => numberOf(column.valueIn(row))).filter((value) => value !== null) : []
  const highest = numbers.reduce((high, value) => Math.max(high, value), 0)
  return { on: 'value', at: roundedDown(highest), label: 'Target', color: null }
}

/** The first digit and zeros: 1,250 becomes 1,000. */
function roundedDown(value: number): number {
  if (value <= 0) return 0
  const power = 10 ** Math.floor(Math.log10(value))
  return Number((Math.floor(value / power) * power).toPrecision(1))
}

/** A note to start with, at the last category. Null if there are no categories. */
export function newNote(chart: ChartElement, { fields, rows }: Rows): ChartLine | null {
  const { categoryKey } = readChoice(chart)
  const column = categoryKey === null ? undefined : findColumn(fields, categoryKey)
  const last = column && rows.findLast((row) => textOf(column.field, column.valueIn(row)) !== null)
  if (!column || !last) return null
  const value = column.valueIn(last)
  const at = typeof value === 'number' ? value : textOf(column.field, value)!
  return { on: 'category', at: isTime(column.field) ? String(at).slice(0, 10) : at, label: 'Note', color: null }
}
