import { type Column, findColumn } from '../columns.ts'
import { numberOf } from '../fields.ts'
import type { Series } from '../shape.ts'
import { distinctValues, keyOf } from './category.ts'
import { labelsFor } from './drawn-columns.ts'
import type { ChartInput } from './prepared-chart.ts'

/** More series than this could not be told apart. */
export const defaultTopN = 8
/** Neither light nor dark, so that no series is mistaken for the rest. */
export const otherColor = '#85898c'
export const other = 'Other'

export interface RowGroup {
  /** Null if the series is not split. */
  name: string | null
  isOther?: boolean
  rowsAt(point: number): readonly number[]
}

interface SplitChoice {
  series: Series
  column: Column
  /** The point that a row belongs to. */
  placeOf(row: readonly unknown[]): number
}

/**
 * The rows of a series by the values of its split column, the largest sum first. Values beyond the `topN` largest are combined as
 * “Other”.
 */
export function splitRows(input: ChartInput, { series, column, placeOf }: SplitChoice): { groups: RowGroup[]; notes: string[] } {
  const { fields, rows, locale } = input
  const split = series.splitKey === null ? undefined : findColumn(fields, series.splitKey)
  if (!split) {
    const whole = makeGroup()
    for (const [row, values] of rows.entries()) whole.add(placeOf(values), row)
    return { groups: [{ name: null, rowsAt: whole.rowsAt }], notes: [] }
  }
  const values = distinctValues(split, rows.map((row) => split.valueIn(row)))
  const sizes = new Map(values.map((value) => [keyOf(value), 0]))
  for (const row of rows) {
    const key = keyOf(split.valueIn(row))
    sizes.set(key, sizes.get(key)! + Math.abs(numberOf(column.valueIn(row)) ?? 0))
  }
  // Equal sums keep their order.
  const ranked = values.toSorted((a, b) => sizes.get(keyOf(b))! - sizes.get(keyOf(a))!)
  const topN = topNOf(series)
  // Combining a single value would only hide its name.
  const kept = ranked.length === topN + 1 ? ranked : ranked.slice(0, topN)
  const groups = new Map(kept.map((value) => [keyOf(value), makeGroup()]))
  const rest = makeGroup()
  for (const [row, each] of rows.entries()) (groups.get(keyOf(split.valueIn(each))) ?? rest).add(placeOf(each), row)
  const label = labelsFor(input, split, values)
  const named = kept.map((value) => ({ name: label(value), rowsAt: groups.get(keyOf(value))!.rowsAt }))
  const count = new Intl.NumberFormat(locale)
  const notes: string[] = []
  if ([...groups.values()].some(({ hasSums }) => hasSums())) {
    notes.push(`Rows with the same category and the same “${series.splitKey}” are added up.`)
  }
  const combined = ranked.length - kept.length
  if (combined === 0) return { groups: named, notes }
  notes.push(`The ${count.format(combined)} smallest values of “${series.splitKey}” are combined as “${other}”.`)
  return { groups: [...named, { name: other, isOther: true, rowsAt: rest.rowsAt }], notes }
}

function topNOf({ part }: Series): number {
  const { topN } = part.props
  return typeof topN === 'number' && Number.isInteger(topN) && topN > 0 ? topN : defaultTopN
}

const none: readonly number[] = []

function makeGroup() {
  const rowsByPoint = new Map<number, number[]>()
  return {
    add(point: number, row: number) {
      const known = rowsByPoint.get(point)
      if (known) known.push(row)
      else rowsByPoint.set(point, [row])
    },
    rowsAt: (point: number) => rowsByPoint.get(point) ?? none,
    hasSums: () => [...rowsByPoint.values()].some((rows) => rows.length > 1),
  }
}
