import { type Field, suggestChart, type Visualization } from '@querypost/visualization'
import { expect, test } from 'vitest'
import { refitChart } from './refit.ts'

const marginConfig = { top: 1, right: 2, bottom: 3, left: 4 }
const fields: Field[] = [
  { name: 'country', type: 'string' },
  { name: 'orders', type: 'integer' },
  { name: 'revenue', type: 'decimal' },
]
const rows = [['Spain', 3, '1.50'], ['France', 4, '2.50']]
const chart = (type: Visualization['type'], jsxConfig: string): Visualization => ({ type, jsxConfig, marginConfig })
const refit = (visualization: Visualization) => refitChart(visualization, { fields, rows })

test('keeps a chart whose columns are all there', () => {
  const bar = chart('bar', '<BarChart><XAxis dataKey="country" /><Bar dataKey="orders" name="All" /></BarChart>')
  expect(refit(bar)).toBe(bar)
  expect(refit(chart('table', ''))).toEqual(chart('table', ''))
})

test('replaces a vanished category and keeps series, legend and margins', () => {
  const axes = '<XAxis dataKey="region" label="Region" /><YAxis /><Legend />'
  const fitted = refit(chart('bar', `<BarChart>${axes}<Bar dataKey="orders" name="All" fill="#f00" /></BarChart>`))
  expect(fitted).toMatchObject({ type: 'bar', marginConfig })
  expect(fitted.jsxConfig).toContain('<XAxis dataKey="country" />')
  expect(fitted.jsxConfig).toContain('<Bar dataKey="orders" name="All" fill="#f00" />')
  expect(fitted.jsxConfig).toContain('<Legend />')
})

test('drops vanished series and suggests others only if none is left', () => {
  const two = '<BarChart><XAxis dataKey="country" /><Bar dataKey="gone" /><Bar dataKey="revenue" /></BarChart>'
  expect(refit(chart('bar', two)).jsxConfig).not.toContain('gone')
  expect(refit(chart('bar', two)).jsxConfig).toContain('<Bar dataKey="revenue" />')
  const none = refit(chart('area', '<AreaChart><CartesianGrid /><XAxis dataKey="country" /><Area dataKey="gone" /></AreaChart>'))
  expect(none.type).toBe('area')
  expect(none.jsxConfig).toContain('<CartesianGrid />')
  expect(none.jsxConfig).toMatch(/<Area dataKey="orders"/)
})

test('suggests a new chart for one that the form cannot edit, and a table where nothing can be drawn', () => {
  const mixed = '<ComposedChart><XAxis dataKey="day" /><Bar dataKey="orders" /><Scatter dataKey="revenue" /></ComposedChart>'
  expect(refit(chart('bar', mixed))).toMatchObject({ type: 'bar', marginConfig })
  expect(refit(chart('bar', mixed)).jsxConfig).toContain('country')
  const words = { fields: [{ name: 'word', type: 'string' as const }], rows: [['a']] }
  expect(refitChart(chart('bar', '<BarChart><Bar dataKey="gone" /></BarChart>'), words)).toMatchObject({ type: 'table' })
})

test('a number moves to another column and keeps its unit', () => {
  const number = chart('number', '<BarChart><Bar dataKey="gone" name="Old" unit=" €" /></BarChart>')
  const fitted = refitChart(number, { fields, rows: rows.slice(0, 1) })
  expect(fitted).toMatchObject({ type: 'number' })
  expect(fitted.jsxConfig).toContain('<Number dataKey="orders" unit=" €" />')
})

test.each([
  ['combo', '<ComposedChart><XAxis dataKey="country" /><YAxis /><YAxis yAxisId="right" orientation="right" /><Bar dataKey="orders" /><Line dataKey="gone" yAxisId="right" /></ComposedChart>', '<Bar dataKey="orders" />'],
  ['map', '<MapChart><Map dataKey="orders" nameKey="gone" /></MapChart>', '<Map dataKey="orders" nameKey="country" />'],
  ['histogram', '<HistogramChart><Histogram dataKey="gone" bins={5} /></HistogramChart>', '<Histogram dataKey="orders" bins={5} />'],
  ['pivot', '<PivotTable><PivotRow dataKey="gone" /><PivotValue dataKey="orders" aggregate="max" /></PivotTable>', '<PivotRow dataKey="country" />'],
] as const)('a %s keeps its type and settings', (type, jsx, part) => {
  const fitted = refit(chart(type, jsx))
  expect(fitted).toMatchObject({ type, marginConfig })
  expect(fitted.jsxConfig).toContain(part)
  expect(fitted.jsxConfig).not.toContain('gone')
})

test('a suggested chart is suggested again when the columns change', () => {
  const monthly = { fields: [{ name: 'month', type: 'date' as const }, { name: 'orders', type: 'integer' as const }], rows: [['2025-01-01', 1], ['2025-02-01', 2]] }
  const suggested = { ...suggestChart(monthly.fields, monthly.rows)!, marginConfig }
  expect(refitChart(suggested, { fields, rows }, monthly)).toMatchObject({ type: 'bar', marginConfig })
  expect(refitChart(suggested, monthly, monthly)).toBe(suggested)
})

test('a chart is split by a new column that makes rows share a category', () => {
  const previous = { fields: fields.filter(({ name }) => name !== 'revenue'), rows: rows.map(([country, orders]) => [country, orders]) }
  const split = { fields: [...previous.fields, { name: 'size', type: 'string' as const }], rows: previous.rows.flatMap((row) => [[...row, 'S'], [...row, 'M']]) }
  const pie = chart('pie', '<PieChart><Pie dataKey="orders" nameKey="country" /></PieChart>')
  const bar = chart('bar', '<BarChart><XAxis dataKey="country" /><Bar dataKey="orders" fill="#f00" /></BarChart>')
  expect(refitChart(bar, split, previous).jsxConfig).toContain('<Bar dataKey="orders" fill="#f00" seriesKey="size" />')
  expect(refitChart(pie, split, previous)).toBe(pie)
  // Without a change of columns, the chart is as the person left it.
  expect(refitChart(bar, split, split)).toBe(bar)
  expect(refitChart(bar, split)).toBe(bar)
})
