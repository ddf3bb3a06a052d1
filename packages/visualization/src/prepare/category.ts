import type { ChartElement, ChartValue } from '../chart-element.ts'
import type { Column } from '../columns.ts'
import { isNumeric, isTime, numberOf, textOf, timeOf } from '../fields.ts'
import { drawnColumn, labelsFor } from './drawn-columns.ts'
import type { Category, ChartInput } from './prepared-chart.ts'

/** How an axis places its values: at evenly spaced labels, or by number or time. */
export type AxisUse = 'label' | 'number' | 'time'

export function axisUse(axis: ChartElement | undefined, { field }: Column): AxisUse {
  const type = axis?.props['type'] ?? (axis?.props['scale'] === 'time' ? 'number' : 'category')
  if (type !== 'number') return 'label'
  return isTime(field) ? 'time' : 'number'
}

/** The categories of a chart without a column for them are numbered. */
export function numberedCategory(count: number): Category {
  const placeOf = (value: ChartValue) => (typeof value === 'number' && value >= 1 && value <= count ? value - 1 : null)
  return { field: null, title: null, count, labelAt: (index) => String(index + 1), positions: null, isTime: false, labelOf: String, placeOf }
}

export function makeCategory(input: ChartInput, column: Column, values: readonly unknown[], use: AxisUse): Category {
  const { field } = column
  const label = labelsFor(input, column, values)
  const base = {
    field,
    title: drawnColumn(input, field.name)?.title ?? field.name,
    count: values.length,
    labelAt: (index: number) => label(values[index]),
    isTime: isTime(field),
    labelOf: (position: number) => label(use === 'time' ? position : String(position)),
  }
  if (use !== 'label') {
    const read = use === 'time' ? timeOf : numberOf
    const positions = values.map((value) => read(value) ?? Number.NaN)
    return { ...base, positions, placeOf: (value) => read(value) }
  }
  return { ...base, positions: null, placeOf: (value) => placeAmong(value, { column, values, label }) }
}

/** The same value, the same label, or the period that a moment lies in. */
function placeAmong(value: ChartValue, among: { column: Column; values: readonly unknown[]; label(value: unknown): string }): number | null {
  const { column, values, label } = among
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const exact = values.findIndex((each) => textOf(column.field, each) === text || label(each) === text)
  if (exact !== -1) return exact
  const wanted = timeOf(value)
  if (!isTime(column.field) || wanted === null) return null
  const times = values.map(timeOf)
  const [first, last] = [times[0] ?? null, times.at(-1) ?? null]
  if (first === null || last === null || wanted < Math.min(first, last)) return null
  const place = times.findLastIndex((time) => time !== null && time <= wanted)
  // After the last period, only as far as that period may last.
  const lastLengthMs = times.length > 1 ? Math.abs(last - (times.at(-2) ?? last)) : 0
  return place === times.length - 1 && wanted > last + lastLengthMs ? null : place
}

/** Distinct values, in the order of numbers and times, or of their first appearance. */
export function distinctValues(column: Column, values: readonly unknown[]): unknown[] {
  const distinct = new Map<string, unknown>()
  for (const value of values) distinct.set(keyOf(value), value)
  const list = [...distinct.values()]
  const read = isTime(column.field) ? timeOf : isNumeric(column.field) ? numberOf : null
  if (!read) return list
  return list.toSorted((a, b) => (read(a) ?? Number.POSITIVE_INFINITY) - (read(b) ?? Number.POSITIVE_INFINITY))
}

/** Equal values have equal keys; text and numbers never do. */
export const keyOf = (value: unknown): string => (typeof value === 'string' ? `"${value}` : JSON.stringify(value ?? null))
