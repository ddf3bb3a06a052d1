import { expect, test } from 'vitest'
import { changeKind } from './change-kind.ts'
import { chartNames, type ChartKind, readChoice } from './chart-choice.ts'
import { columnsOf, findColumn } from './columns.ts'
import { defaultChoice } from './default-choice.ts'
import { whyNotEditable } from './edit.ts'
import type { Field } from './fields.ts'
import { fitChart } from './fit-chart.ts'
import { makeChart } from './make-chart.ts'
import { offerSplit } from './offer-split.ts'
import { parseJsxConfig } from './parse.ts'
import { writeJsxConfig } from './write.ts'

const fields: Field[] = [
  { name: 'month', type: 'date' },
  { name: 'country', type: 'string' },
  { name: 'revenue', type: 'decimal' },
  { name: 'orders', type: 'integer' },
]
const rows = ['2025-01-01', '2025-02-01'].flatMap((month, at) => ['ES', 'FR'].map((country) => [month, country, `${at}.50`, at]))
const result = { fields, rows }
const fitted = (jsx: string, to = result) => {
  const chart = fitChart(parseJsxConfig(jsx), to)
  return chart && writeJsxConfig(chart)
}
const kinds = Object.keys(chartNames) as ChartKind[]

test.each(kinds)('%s: columns that the result lacks are replaced', (kind) => {
  const old = makeChart({ kind, categoryKey: 'day', splitKey: 'shop', sizeKey: 'units', series: [{ key: 'sold', name: 'Sold' }] })
  const chart = fitChart(old, result)!
  expect(columnsOf(chart).filter((key) => !findColumn(fields, key))).toEqual([])
  expect(whyNotEditable(chart)).toBeNull()
  expect(readChoice(chart).series.length).toBeGreaterThan(0)
})

test.each(kinds)('%s: every other type becomes one, each role with its own column', (kind) => {
  for (const first of kinds) {
    const chart = fitChart(changeKind(makeChart(defaultChoice(first, result)), kind), result)!
    const { categoryKey, splitKey = null, series } = readChoice(chart)
    const used = [categoryKey, splitKey, series[0]!.key].filter((key) => key !== null)
    expect(new Set(used).size, `${first} ${used.join()}`).toBe(used.length)
  }
})

test('keeps the settings of what is still there', () => {
  const jsx = `<LineChart missing="gap">
  <XAxis dataKey="month" />
  <YAxis scale="log" />
  <Line dataKey="revenue" name="Revenue" stroke="#ff0000" seriesKey="gone" topN={3} trend="linear" />
  <ReferenceLine y={3} label="Target" />
</LineChart>`
  expect(fitted(jsx)).toBe(jsx.replace('gone', 'country'))
})

test('a vanished split goes if no column takes its place', () => {
  const jsx = '<LineChart>\n  <XAxis dataKey="month" />\n  <Line dataKey="revenue" seriesKey="gone" topN={3} />\n</LineChart>'
  const once = { fields, rows: rows.filter((_, at) => at % 2 === 0) }
  expect(fitted(jsx, once)).toBe(jsx.replace(' seriesKey="gone" topN={3}', ''))
})

test('a single series keeps its settings, except the name of the old column', () => {
  const jsx = '<HistogramChart><Histogram dataKey="gone" name="Old" bins={7} fill="#00ff00" /></HistogramChart>'
  expect(fitted(jsx)).toContain('<Histogram dataKey="revenue" bins={7} fill="#00ff00" />')
})

test('labels of a vanished column go', () => {
  const jsx = '<BarChart><XAxis dataKey="gone" /><Bar dataKey="orders"><LabelList dataKey="gone" /></Bar></BarChart>'
  expect(fitted(jsx)).not.toContain('gone')
})

test('a number without periods compares nothing', () => {
  const jsx = '<NumberChart><Number dataKey="orders" timeKey="gone" compare="previous" sparkline /></NumberChart>'
  expect(fitted(jsx)).toContain('timeKey="month" compare="previous" sparkline')
  expect(fitted(jsx, { fields: fields.slice(1), rows: rows.map((row) => row.slice(1)) })).toContain('<Number dataKey="orders" />')
})

test('a map moves to the column with countries', () => {
  expect(fitted('<MapChart><Map dataKey="orders" nameKey="month" /></MapChart>')).toContain('nameKey="country"')
  const regions = { fields, rows: rows.map(([month, , ...values]) => [month!, 'North', ...values]) }
  expect(fitted('<MapChart><Map dataKey="orders" nameKey="month" /></MapChart>', regions)).toContain('nameKey="month"')
})

test('a pivot table keeps the groups that are there', () => {
  const jsx = '<PivotTable><PivotRow dataKey="gone" /><PivotRow dataKey="country" /><PivotColumn dataKey="away" /><PivotColumn dataKey="month" /><PivotValue dataKey="orders" aggregate="max" /></PivotTable>'
  const { categoryKey, splitKey } = readChoice(parseJsxConfig(fitted(jsx)!))
  expect({ categoryKey, splitKey }).toEqual({ categoryKey: 'country', splitKey: 'month' })
  expect(fitted(jsx)).toContain('<PivotValue dataKey="orders" aggregate="max" />')
})

test('nothing can be drawn without numbers', () => {
  const words = { fields: [{ name: 'word', type: 'string' as const }], rows: [['a']] }
  expect(fitted('<BarChart><Bar dataKey="gone" /></BarChart>', words)).toBeNull()
})

test('a split is offered where rows share a category', () => {
  const line = '<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" /></LineChart>'
  const offered = (jsx: string, to = result) => offerSplit(parseJsxConfig(jsx), to)
  expect(offered(line)).toBe('country')
  expect(offered(line.replace('"revenue"', '"revenue" seriesKey="country"'))).toBeNull()
  expect(offered(line, { fields, rows: rows.slice(1, 3) })).toBeNull()
  expect(offered(line, { fields, rows: [...rows, ...rows] })).toBeNull()
})
