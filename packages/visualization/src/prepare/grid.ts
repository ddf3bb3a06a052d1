import { findColumn } from '../columns.ts'
import { textProp } from '../chart-element.ts'
import { numberOf } from '../fields.ts'
import type { ChartShape } from '../shape.ts'
import { distinctValues, keyOf, makeCategory } from './category.ts'
import { countText, drawnColumn, exactValue, seriesBase, valueText } from './drawn-columns.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

const maxAcross = 200
const maxDown = 100

type Grid = Pick<PreparedChart, 'category' | 'verticalCategory' | 'series' | 'notes' | 'problems'>

/** A heat map: the values of one column by two others. Rows of one cell are added up. */
export function prepareGrid(input: ChartInput, shape: ChartShape): Grid {
  const { fields, rows, element, locale } = input
  const key = (axis: string) => element.children.flatMap((part) => (part.name === axis ? [textProp(part, 'dataKey') ?? ''] : []))[0] ?? ''
  const [xColumn, yColumn] = [findColumn(fields, key('XAxis')), findColumn(fields, key('YAxis'))]
  if (!xColumn || !yColumn) {
    const problems = ['A heat map needs a column for each axis. Edit the chart and choose both.']
    return { category: null, verticalCategory: null, series: [], notes: [], problems }
  }
  const series = shape.series.find((each) => each.key !== null)
  const column = drawnColumn(input, series!.key!)!
  const [allX, allY] = [xColumn, yColumn].map((each) => distinctValues(each, rows.map((row) => each.valueIn(row)))) as [unknown[], unknown[]]
  const [xValues, yValues] = [allX.slice(0, maxAcross), allY.slice(0, maxDown)]
  const xPlaces = new Map(xValues.map((value, at) => [keyOf(value), at]))
  const yPlaces = new Map(yValues.map((value, at) => [keyOf(value), at]))
  const cells = new Map<string, { x: number; y: number; rows: number[] }>()
  for (const [row, values] of rows.entries()) {
    const [x, y] = [xPlaces.get(keyOf(xColumn.valueIn(values))), yPlaces.get(keyOf(yColumn.valueIn(values)))]
    if (x === undefined || y === undefined) continue
    const known = cells.get(`${x} ${y}`)
    if (known) known.rows.push(row)
    else cells.set(`${x} ${y}`, { x, y, rows: [row] })
  }
  const list = [...cells.values()]
  const count = new Intl.NumberFormat(locale)
  const notes: string[] = []
  if (list.some((cell) => cell.rows.length > 1)) notes.push('Rows of the same cell are added up.')
  if (xValues.length < allX.length) notes.push(`Showing the first ${count.format(maxAcross)} of ${countText(allX.length, 'column', count)}.`)
  if (yValues.length < allY.length) notes.push(`Showing the first ${count.format(maxDown)} of ${countText(allY.length, 'line', count)}.`)
  return {
    category: makeCategory(input, xColumn, xValues, 'label'),
    verticalCategory: makeCategory(input, yColumn, yValues, 'label'),
    series: [
      {
        ...seriesBase(column, series!),
        values: list.map((cell) => numberOf(exactValue(input, column, cell.rows))),
        cells: list.map(({ x, y }) => ({ x, y })),
        textAt: (point) => valueText(column, series!.part, exactValue(input, column, list[point]!.rows)),
        rowsAt: (point) => list[point]!.rows,
      },
    ],
    notes,
    problems: [],
  }
}
