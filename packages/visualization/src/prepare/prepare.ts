import { columnsOf, findColumn } from '../columns.ts'
import { numberOf } from '../fields.ts'
import { type ChartShape, readShape } from '../shape.ts'
import { prepareCartesian } from './cartesian.ts'
import { countText } from './drawn-columns.ts'
import { prepareGrid } from './grid.ts'
import { prepareHistogram } from './histogram.ts'
import { prepareMap } from './map.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'
import { prepareScatter } from './scatter.ts'
import { prepareSlices } from './slices.ts'

type Prepare = (input: ChartInput, shape: ChartShape) => Partial<PreparedChart>

const preparers: Readonly<Record<ChartShape['kind'], Prepare>> = {
  line: prepareCartesian,
  bar: prepareCartesian,
  area: prepareCartesian,
  composed: prepareCartesian,
  scatter: prepareScatter,
  pie: prepareSlices,
  funnel: prepareSlices,
  heatmap: prepareGrid,
  histogram: prepareHistogram,
  map: prepareMap,
  // Not drawn as charts; `problemsOf` finds no series in them.
  number: () => ({}),
  pivot: () => ({}),
}

export function prepareRows(input: ChartInput): PreparedChart {
  const { rows, element } = input
  const shape = readShape(element)
  const problems = problemsOf(input, shape)
  const none: PreparedChart = {
    shape, element, category: null, verticalCategory: null, series: [], notes: [], problems, splitOffers: [],
  }
  if (problems.length > 0 || rows.length === 0) return none
  const prepared = preparers[shape.kind](input, shape)
  return { ...none, ...prepared, notes: [...(prepared.notes ?? []), ...nonNumericNotes(input, shape)] }
}

/** The number of points that the series with the most points has. */
export const pointCount = ({ series }: PreparedChart): number => series.reduce((most, { values }) => Math.max(most, values.length), 0)

function problemsOf({ fields, rows, element }: ChartInput, { series }: ChartShape): string[] {
  const missing = columnsOf(element).filter((name) => !findColumn(fields, name))
  if (missing.length > 0) {
    const names = fields.map(({ name }) => name).join(', ')
    const noun = missing.length === 1 ? 'column' : 'columns'
    return [`The result has no ${noun} ${quoted(missing)}. Its columns are ${names}. Edit the chart or the SQL.`]
  }
  if (series.every(({ key }) => key === null)) {
    return ['The chart has no columns to draw. Edit it and choose at least one numeric column.']
  }
  const keys = series.flatMap(({ key }) => (key === null ? [] : [key]))
  if (rows.length === 0 || keys.some((key) => hasNumbers({ fields, rows }, key))) return []
  return [`There are no numbers in ${quoted(keys)}. Edit the chart and choose a numeric column.`]
}

const quoted = (names: string[]) => names.map((name) => `“${name}”`).join(', ')

function hasNumbers({ fields, rows }: Pick<ChartInput, 'fields' | 'rows'>, key: string): boolean {
  const column = findColumn(fields, key)!
  return rows.some((row) => numberOf(column.valueIn(row)) !== null)
}

/** Values that are present but not numbers leave gaps, which readers should not mistake for nulls. */
function nonNumericNotes({ fields, rows, locale }: ChartInput, { series }: ChartShape): string[] {
  const count = new Intl.NumberFormat(locale)
  return [...new Set(series.map(({ key }) => key))].flatMap((key) => {
    const column = key === null ? undefined : findColumn(fields, key)
    if (!column) return []
    const odd = rows.reduce((sum, row) => {
      const value = column.valueIn(row)
      return value === null || value === undefined || numberOf(value) !== null ? sum : sum + 1
    }, 0)
    return odd === 0 ? [] : [`Skipped, because not a number: ${countText(odd, 'value', count)} of “${key}”.`]
  })
}
