import { findColumn } from './columns.ts'
import { isNumeric, isTime, numberOf } from './fields.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

const kinds = {
  line: 'Line chart',
  bar: 'Bar chart',
  area: 'Area chart',
  scatter: 'Scatter chart',
  pie: 'Pie chart',
  composed: 'Chart',
  heatmap: 'Heat map',
  funnel: 'Funnel',
  histogram: 'Histogram',
  map: 'Map',
  number: 'Number',
  pivot: 'Pivot table',
}

/** A chart in words, for people who cannot see it: what it shows, over what, and between which values. */
export function describeChart(
  prepared: PreparedChart,
  { fields, rows, locale }: Pick<ChartInput, 'fields' | 'rows' | 'locale'>,
): string {
  const { shape } = prepared
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const series = shape.series.filter(({ key }) => key !== null)
  const names = new Intl.ListFormat(locale ?? 'en', { type: 'conjunction' }).format(series.map(({ name }) => name))
  const category = shape.categoryKey === null ? undefined : findColumn(fields, shape.categoryKey)
  const by = category ? ` by ${shape.categoryTitle ?? category.field.name}` : ''
  const hasOrder = category && (isTime(category.field) || isNumeric(category.field))
  const span = hasOrder && rows.length > 1 ? `, from ${labelAt(0)} to ${labelAt(rows.length - 1)}` : ''
  const sentences = series.flatMap(({ key, name }) => {
    const column = findColumn(fields, key!)
    const values = column ? rows.map((row) => numberOf(column.valueIn(row))).filter((value) => value !== null) : []
    if (values.length === 0) return []
    const least = values.reduce((low, value) => Math.min(low, value))
    const most = values.reduce((high, value) => Math.max(high, value))
    const [low, high, last] = [least, most, values.at(-1)!].map((value) => number.format(value))
    return [`${name}: lowest ${low}, highest ${high}, last ${last}.`]
  })
  const count = `${number.format(rows.length)} ${rows.length === 1 ? 'row' : 'rows'}`
  return [`${kinds[shape.kind]} of ${names}${by}, ${count}${span}.`, ...sentences].join(' ')

  function labelAt(row: number): string {
    const value = category!.valueIn(rows[row]!)
    const use = [...prepared.keys.values()].find(({ column }) => column.field.name === category!.field.name)
    return use ? use.label(value) : String(value)
  }
}
