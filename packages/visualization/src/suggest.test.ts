import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChoice } from './chart-choice.ts'
import { findColumn } from './columns.ts'
import { whyNotEditable } from './edit.ts'
import type { Field, FieldType } from './fields.ts'
import { fitChart } from './fit-chart.ts'
import { parseJsxConfig } from './parse.ts'
import { prepareRows } from './prepare/prepare.ts'
import { suggestChart, suggestCharts } from './suggest.ts'

const columns = (text: string): Field[] =>
  text.split(', ').map((part) => {
    const [name, type] = part.split(':')
    return { name: name!, type: type as Field['type'] }
  })

const month = (at: number) => `2025-0${at + 1}-01`
const words = ['short', 'words', 'only']
const titles = ['a rather long product name', 'another one', 'x']

test.each<[string, string, (at: number) => unknown[], string | undefined, string]>([
  ['moments and numbers', 'month:date, revenue:decimal, orders:integer', (at) => [month(at), '1.5', at], 'line', '<Line dataKey="revenue" type="monotone" />'],
  ['a year', 'year:integer, total:integer', (at) => [2020 + at, at], 'line', '<XAxis dataKey="year" />'],
  ['names and a number', 'country:string, customers:integer', (at) => [words[at], at], 'bar', '<XAxis dataKey="country" />'],
  ['long names', 'product:string, revenue:decimal', (at) => [titles[at], '2'], 'bar', '<BarChart layout="vertical">'],
  ['numbers of different kinds', 'country:string, revenue:decimal, orders:integer', (at) => [words[at], '1', at], 'bar', '<Bar dataKey="revenue" />'],
  ['two numbers', 'price:decimal, quantity:integer', (at) => ['1', at], 'scatter', '<YAxis type="number" dataKey="quantity" />'],
  ['equal rows', 'day:date, country:string, n:integer', () => ['2025-01-01', 'x', 1], undefined, ''],
  ['no numbers', 'a:string, b:date', (at) => ['x', month(at)], undefined, ''],
  ['ids alone', 'order_id:integer, name:string', (at) => [at, 'x'], undefined, ''],
])('%s', (_, fields, rowAt, type, part) => {
  const rows = [0, 1, 2].map(rowAt)
  const suggested = suggestChart(columns(fields), rows)
  expect(suggested?.type).toBe(type)
  if (!suggested) return
  expect(suggested.jsxConfig).toContain(part)
  const { problems, series } = prepareRows({ fields: columns(fields), rows, element: parseJsxConfig(suggested.jsxConfig) })
  expect(problems).toEqual([])
  expect(series[0]!.values).toHaveLength(3)
})

describe('one row per value of two columns', () => {
  const pairs = (xs: unknown[], ys: unknown[]) => xs.flatMap((x) => ys.map((y, at) => [x, y, at + 1]))
  const list = (count: number, name = 'n') => Array.from({ length: count }, (_, at) => `${name}${at}`)
  const days = Array.from({ length: 7 }, (_, at) => at)
  const hours = Array.from({ length: 24 }, (_, at) => at)

  test.each<[string, string, unknown[][], string[], string]>([
    ['a time and a category', 'month:date, country:string, revenue:decimal', pairs([month(0), month(1)], ['ES', 'FR']), ['line', 'area', 'bar', 'heatmap', 'pivot'], 'seriesKey="country"'],
    ['a time and an average', 'month:date, country:string, average_price:decimal', pairs([month(0), month(1)], ['ES', 'FR']), ['line', 'bar', 'heatmap', 'pivot'], 'seriesKey="country"'],
    ['the months of several years', 'year:integer, month:integer, revenue:decimal', pairs([2024, 2025], hours.slice(1, 13)), ['line', 'area', 'bar', 'heatmap', 'pivot'], '<XAxis dataKey="month" />'],
    ['few categories', 'product:string, size:string, sold:integer', pairs(list(9), ['S', 'M']), ['bar', 'heatmap', 'pivot'], 'seriesKey="size" stackId="all"'],
    ['many categories', 'product:string, shop:string, sold:integer', pairs(list(12), list(11, 's')), ['heatmap', 'bar', 'pivot'], '<Heatmap dataKey="sold" />'],
    ['hours of weekdays', 'weekday:integer, hour:integer, orders:integer', pairs(days, hours), ['heatmap', 'bar', 'pivot'], '<YAxis dataKey="weekday" />'],
  ])('%s', (_, fields, rows, types, part) => {
    const suggested = suggestCharts(columns(fields), rows)
    expect(suggested.map(({ visualization }) => visualization.type)).toEqual(types)
    expect(suggested[0]!.visualization.jsxConfig).toContain(part)
  })

  test('a column of 51 names does not split a chart', () => {
    const fields = columns('day:date, customer:string, paid:decimal')
    const types = (count: number) => suggestCharts(fields, pairs([month(0), month(1)], list(count))).map(({ visualization }) => visualization.type)
    expect(types(50)[0]).toBe('line')
    expect(types(51)).toEqual(['histogram', 'pivot'])
  })

  test('three columns are left to a table, and offered as a pivot table', () => {
    const rows = pairs([month(0), month(1)], ['a', 'b']).flatMap(([x, y, n]) => [[x, y, 'p', n], [x, y, 'q', n]])
    const fields = columns('month:date, a:string, b:string, n:integer')
    expect(suggestChart(fields, rows)).toBeNull()
    expect(suggestCharts(fields, rows).map(({ title }) => title)).toEqual(['n by a and month'])
  })
})

test.each<[string, string, unknown[][], string[]]>([
  ['one row per period offers a number', 'month:date, revenue:decimal', [[month(0), '1'], [month(1), '2']], ['line', 'bar', 'number', 'area']],
  ['measures of two kinds offer a combo', 'month:date, revenue:decimal, orders:integer', [[month(0), '1', 1], [month(1), '2', 3]], ['line', 'combo', 'bar', 'number', 'area']],
  ['countries offer a map', 'market:string, revenue:decimal', [['Spain', '1'], ['FRA', '2'], ['Elsewhere', '1']], ['bar', 'map', 'pie']],
  ['other names do not', 'country:string, revenue:decimal', [['Bavaria', '1'], ['Texas', '2']], ['bar', 'pie']],
  ['falling numbers offer a funnel', 'step:string, people:integer', [['visit', 9], ['cart', 5], ['order', 2]], ['bar', 'funnel', 'pie']],
  ['one column of many numbers is a histogram', 'amount:decimal', Array.from({ length: 10 }, (_, at) => [String(at)]), ['histogram']],
  ['a few numbers are not', 'amount:decimal', Array.from({ length: 9 }, (_, at) => [String(at)]), []],
  ['single orders', 'size:string, price:decimal, weight:decimal, units:integer', [['S', '1', '2', 3], ['S', '2', '2', 3]], ['scatter', 'pivot']],
])('%s', (_, fields, rows, types) => {
  expect(suggestCharts(columns(fields), rows).map(({ visualization }) => visualization.type)).toEqual(types)
})

test('single orders are colored and sized by their other columns', () => {
  const rows = [['S', '1', '2', 3], ['S', '2', '2', 3]]
  const { jsxConfig } = suggestChart(columns('size:string, price:decimal, weight:decimal, units:integer'), rows)!
  expect(readChoice(parseJsxConfig(jsxConfig))).toMatchObject({ categoryKey: 'price', series: [{ key: 'weight' }], splitKey: 'size', sizeKey: 'units' })
})

test('one row is shown as a number, that of the first measure', () => {
  expect(suggestChart(columns('total:decimal'), [['1']])).toMatchObject({ type: 'number', jsxConfig: '' })
  const named = suggestChart(columns('name:string, total:decimal'), [['x', '1']])
  expect(named).toMatchObject({ type: 'number', jsxConfig: '<NumberChart>\n  <Number dataKey="total" />\n</NumberChart>' })
})

test('no rows suggest nothing', () => expect(suggestChart(columns('n:integer'), [])).toBeNull())

describe('whatever the columns are', () => {
  const valuesOf: Record<FieldType, fc.Arbitrary<unknown>> = {
    integer: fc.integer({ min: -3, max: 40 }),
    number: fc.double({ noNaN: true, noDefaultInfinity: true }),
    decimal: fc.integer({ min: -500, max: 5000 }).map((value) => (value / 100).toFixed(2)),
    string: fc.constantFrom('Spain', 'FR', 'a long name of something', '', 'x'),
    boolean: fc.boolean(),
    date: fc.constantFrom('2025-01-01', '2025-02-01', '2025-02-03'),
    timestamp: fc.constantFrom('2025-01-01T00:00:00Z', '2025-01-01T10:30:00Z'),
    json: fc.constantFrom({ a: 1 }, '[1]'),
  }
  const names = ['month', 'country', 'revenue', 'orders', 'hour', 'weekday', 'customer_id', 'average_price']
  const field = fc.record({
    name: fc.constantFrom(...names),
    type: fc.constantFrom(...(Object.keys(valuesOf) as FieldType[])),
  })
  const result = fc.uniqueArray(field, { maxLength: 5, selector: ({ name }) => name }).chain((fields) =>
    fc.record({
      fields: fc.constant(fields),
      rows: fc.array(fc.tuple(...fields.map(({ type }) => fc.option(valuesOf[type], { freq: 12 }))), { maxLength: 30 }),
    }),
  )

  test('every suggestion can be drawn and edited', () => {
    fc.assert(
      fc.property(result, ({ fields, rows }) => {
        for (const { visualization, title } of suggestCharts(fields, rows)) {
          const { type, jsxConfig } = visualization
          expect(title).not.toMatch(/null|undefined/)
          if (jsxConfig === '') continue
          const element = parseJsxConfig(jsxConfig)
          expect(whyNotEditable(element)).toBeNull()
          const { categoryKey, series, splitKey = null } = readChoice(element)
          const keys = [categoryKey, splitKey, ...series.map(({ key }) => key)].filter((key) => key !== null)
          expect(keys.filter((key) => !findColumn(fields, key))).toEqual([])
          expect(new Set(keys).size).toBe(keys.length)
          const isDrawn = type !== 'number' && type !== 'pivot'
          expect(isDrawn ? prepareRows({ fields, rows, element }) : { problems: [], splitOffers: [] }).toMatchObject({ problems: [], splitOffers: [] })
          // The chart is made for these columns, so fitting changes nothing.
          expect(fitChart(element, { fields, rows })).toEqual(element)
        }
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
