import { isNumeric, isTime } from './fields.ts'
import type { ChartInput, PreparedChart } from './prepare/prepared-chart.ts'

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

const maxDescribed = 12

/** A chart in words, for people who cannot see it: what it shows, over what, and between which values. */
export function describeChart(prepared: PreparedChart, { rows, rowCount = rows.length, locale }: Pick<ChartInput, 'rows' | 'rowCount' | 'locale'>): string {
  const { shape, category, verticalCategory } = prepared
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  const series = prepared.series.filter(({ derivedFrom }) => derivedFrom === null)
  const names = new Intl.ListFormat(locale ?? 'en', { type: 'conjunction' }).format(series.map(({ name }) => name))
  const titles = [shape.categoryTitle ?? category?.title, verticalCategory?.title].filter((title) => typeof title === 'string')
  const by = titles.length > 0 && shape.kind !== 'histogram' ? ` by ${titles.join(' and ')}` : ''
  const hasOrder = category?.field && (isTime(category.field) || isNumeric(category.field)) && category.count > 1
  const span = hasOrder ? `, from ${category.labelAt(0)} to ${category.labelAt(category.count - 1)}` : ''
  const sentences = series.slice(0, maxDescribed).flatMap(({ name, values, isShare }) => {
    const known = values.filter((value) => value !== null)
    if (known.length === 0) return []
    const text = (value: number) => (isShare ? `${number.format(value * 100)}%` : number.format(value))
    const [low, high] = [known.reduce((least, value) => Math.min(least, value)), known.reduce((most, value) => Math.max(most, value))]
    return [`${name}: lowest ${text(low)}, highest ${text(high)}, last ${text(known.at(-1)!)}.`]
  })
  const count = `${number.format(rowCount)} ${rowCount === 1 ? 'row' : 'rows'}`
  return [`${kinds[shape.kind]} of ${names}${by}, ${count}${span}.`, ...sentences].join(' ')
}
