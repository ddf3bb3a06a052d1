import { assignKeys } from './assign-keys.ts'
import type { ChartElement } from './chart-element.ts'
import { columnsOf, findColumn } from './columns.ts'
import { numberOf } from './fields.ts'
import { combineSlices } from './combine-slices.ts'
import type { ChartInput, ChartPoint, PreparedChart } from './prepared-chart.ts'
import { type ChartShape, readShape, seriesKindOf } from './shape.ts'
import { keepEvenly, keepExtremes } from './thin-out.ts'

export const maxPoints = 2000
/** Bars need some width to be distinguishable. */
export const maxBarRows = 500

export function prepareRows(input: ChartInput): PreparedChart {
  const { rows, element } = input
  const shape = readShape(element)
  const { pointOf, ...keyed } = assignKeys(input)
  const problems = problemsOf(input, shape)
  const isEmpty = problems.length > 0 || rows.length === 0
  const kept = isEmpty ? { places: [], notes: [] } : keepRows(input, shape)
  const points = kept.places.map((row) => ({ row, ...pointOf(rows[row]!) }))
  const count = new Intl.NumberFormat(input.locale)
  const notes = [...kept.notes, ...nonNumericNotes(input, shape, count)]
  const prepared: PreparedChart = { ...keyed, shape, points, notes, problems }
  const combined = shape.kind === 'pie' && !isEmpty ? combineSlices(prepared, count) : prepared
  return { ...combined, element: withCellsOf(combined.element, combined.points) }
}

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
function nonNumericNotes({ fields, rows }: ChartInput, { series }: ChartShape, count: Intl.NumberFormat): string[] {
  return [...new Set(series.map(({ key }) => key))].flatMap((key) => {
    const column = key === null ? undefined : findColumn(fields, key)
    if (!column) return []
    const odd = rows.reduce((sum, row) => {
      const value = column.valueIn(row)
      return value === null || value === undefined || numberOf(value) !== null ? sum : sum + 1
    }, 0)
    if (odd === 0) return []
    return [`Skipped, because not a number: ${count.format(odd)} ${odd === 1 ? 'value' : 'values'} of “${key}”.`]
  })
}

function keepRows(input: ChartInput, shape: ChartShape): { places: number[]; notes: string[] } {
  const { fields, rows } = input
  const isBars = shape.series.some(({ kind }) => kind === 'bar')
  const maxRows = Math.min(input.maxRows ?? maxPoints, isBars ? maxBarRows : maxPoints)
  const rowCount = rows.length
  // A ring is made of all its rows; its small slices are combined instead.
  if (rowCount <= maxRows || shape.kind === 'pie') return { places: [...rows.keys()], notes: [] }
  const count = new Intl.NumberFormat(input.locale)
  const category = shape.categoryKey === null ? undefined : findColumn(fields, shape.categoryKey)
  if (isBars && category?.field.type === 'string') {
    const note = `Showing the first ${count.format(maxRows)} of ${count.format(rowCount)} rows.`
    const places = Array.from({ length: maxRows }, (_, row) => row)
    return { places, notes: [`${note} Group or limit the rows in the SQL to see all of them.`] }
  }
  const isScatter = shape.kind === 'scatter'
  const drawn = [...shape.series.map(({ key }) => key), ...(isScatter ? [shape.categoryKey] : [])]
  const series = [...new Set(drawn.filter((key) => key !== null))].map((key) => {
    const column = findColumn(fields, key)!
    return (row: number) => numberOf(column.valueIn(rows[row]!))
  })
  const places = (isScatter ? keepEvenly : keepExtremes)({ rowCount, maxRows, series })
  const chosen = isScatter
    ? 'evenly spaced, with the largest and smallest values'
    : 'the highest and lowest values of each section, and both ends'
  return { places, notes: [`Showing ${count.format(places.length)} of ${count.format(rowCount)} rows: ${chosen}.`] }
}

/** A `Cell` belongs to the row at its place, and stays with that row when others are left out. */
function withCellsOf(chart: ChartElement, points: ChartPoint[]): ChartElement {
  const children = chart.children.map((part) => {
    const cells = part.children.filter(({ name }) => name === 'Cell')
    if (!seriesKindOf(part) || cells.length === 0) return part
    const others = part.children.filter(({ name }) => name !== 'Cell')
    const moved = points.map(({ row }) => cells[row] ?? { name: 'Cell', props: {}, children: [] })
    return { ...part, children: [...others, ...moved] }
  })
  return { ...chart, children }
}
