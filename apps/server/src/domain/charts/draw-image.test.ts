import { type Field, defaultMargin, type VisualizationType } from '@querypost/visualization'
import { defaultPalette } from '@querypost/visualization/draw'
import { describe, expect, test } from 'vitest'
import { drawImage, drawUntitled, type ImageRows } from './draw-image.ts'
import { renderPng } from './png.ts'

const fields: Field[] = [
  { name: 'label', type: 'string' },
  { name: 'n', type: 'integer' },
  { name: 'm', type: 'decimal' },
]
const asOf = new Date('2026-01-05T10:00:00Z')
const result = (rows: unknown[][], isWhole = true): ImageRows => ({ fields, rows, isWhole, asOf })
const rows = [['a', 1, '2.50'], ['b', -3, null], ['c', 4, '1.25']]
const drawn = (type: VisualizationType, jsxConfig: string, of: ImageRows | string = result(rows)) =>
  drawImage({ title: 'Revenue', visualization: { type, jsxConfig, marginConfig: defaultMargin }, result: of })

const bars = '<BarChart><XAxis dataKey="label" /><Bar dataKey="n" /><Bar dataKey="m" name="Money" fill="#ff0000" /></BarChart>'
const hostile = `"/><script>alert(1)</script>&]]>'\u0000\uD800`

/** The shapes of one color. */
const shapes = (svg: string, color: string) => [...svg.matchAll(new RegExp(`<path d="([^"]*)"[^>]*fill="${color}"`, 'g'))].map(([, path]) => path!)
const [first] = defaultPalette.light

test('draws a bar for every value', () => {
  const svg = drawn('bar', bars)
  // One more is in the legend.
  expect(shapes(svg, first!)).toHaveLength(3 + 1)
  expect(shapes(svg, '#ff0000')).toHaveLength(2 + 1)
  expect(svg).toContain('>Money<')
  expect(svg).toContain('Querypost · 2026-01-05 10:00 UTC')
})

test('draws the same without a title and a footer, for a place that has its own', () => {
  const svg = drawUntitled({ visualization: { type: 'bar', jsxConfig: bars, marginConfig: defaultMargin }, result: result(rows) })
  expect(shapes(svg, first!)).toHaveLength(3 + 1)
  expect(svg).toContain('>Money<')
  expect(svg).not.toContain('Revenue')
  expect(svg).not.toContain('Querypost')
})

test('stacks values on top of each other', () => {
  const svg = drawn('bar', bars.replaceAll('<Bar ', '<Bar stackId="all" '), result([['a', 10, '30']]))
  // A bar is drawn from a corner, with lines relative to it.
  const heightOf = (path: string) => {
    const [, start, ...moves] = [...path.matchAll(/-?[\d.]+/g)].map(Number)
    const lengths = moves.filter((_, at) => at % 2 === 1)
    return { top: start! + Math.min(0, ...lengths), bottom: start! + Math.max(0, ...lengths) }
  }
  const below = heightOf(shapes(svg, first!)[0]!)
  const above = heightOf(shapes(svg, '#ff0000')[0]!)
  expect(above.bottom).toBeCloseTo(below.top, 0)
  expect((above.bottom - above.top) / (below.bottom - below.top)).toBeCloseTo(3, 1)
})

test('a line has a gap where a value is missing, and a dot where it would have no length', () => {
  const svg = drawn('line', '<LineChart><XAxis dataKey="label" /><Line dataKey="m" dot={false} /></LineChart>')
  expect(shapes(svg, first!)).toHaveLength(2)
})

test('uses the organization’s own colors', () => {
  const visualization = { type: 'bar' as const, jsxConfig: bars, marginConfig: defaultMargin }
  const svg = drawImage({ title: 'Revenue', visualization, result: result(rows), palette: ['#123456', '#654321'] })
  expect(shapes(svg, '#123456')).toHaveLength(3 + 1)
  expect(shapes(svg, first!)).toHaveLength(0)
})

const sales: ImageRows = {
  fields: [{ name: 'month', type: 'date' }, { name: 'country', type: 'string' }, { name: 'revenue', type: 'decimal' }],
  rows: [['2025-01-01', 'Germany', '10.10'], ['2025-01-01', 'France', '5'], ['2025-02-01', 'Germany', '30'], ['2025-02-01', 'France', '15']],
  isWhole: true,
  asOf,
}

test.each<[VisualizationType, string, string[]]>([
  ['line', '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="revenue" seriesKey="country" /></LineChart>', ['>Germany<', '>France<', '>Jan 2025<']],
  ['line', '<LineChart><XAxis dataKey="month" /><YAxis /><Line dataKey="revenue" /></LineChart>', ['Several rows have the same “month”']],
  ['combo', '<ComposedChart><XAxis dataKey="month" /><YAxis /><Bar dataKey="revenue" seriesKey="country" /></ComposedChart>', ['>Germany<']],
  ['heatmap', '<HeatmapChart><XAxis dataKey="month" /><YAxis dataKey="country" /><Heatmap dataKey="revenue" /></HeatmapChart>', ['>Germany<', '>Jan 2025<', '>30<']],
  ['funnel', '<FunnelChart><Funnel dataKey="revenue" nameKey="country" /></FunnelChart>', ['Germany  10.10 (100%)']],
  ['histogram', '<HistogramChart><XAxis /><YAxis /><Histogram dataKey="revenue" bins={2} /></HistogramChart>', ['>5 – 17.5<']],
  ['map', '<MapChart><Map dataKey="revenue" nameKey="country" /></MapChart>', ['>20<', '>40.1<']],
  ['pivot', '<PivotTable><PivotRow dataKey="country" /><PivotColumn dataKey="month" /><PivotValue dataKey="revenue" aggregate="sum" /></PivotTable>', ['>France<', '>40.10<']],
  ['number', '<NumberChart><Number dataKey="revenue" timeKey="month" compare="previous" sparkline /></NumberChart>', ['>45<', 'Feb 2025', 'from 15.10 (Jan 2025)', 'stroke-linejoin="round"']],
])('draws a chart of type %s: %s', async (type, jsxConfig, words) => {
  const svg = drawn(type, jsxConfig, sales)
  for (const each of words) expect(svg).toContain(each)
  expect((await renderPng(svg)).subarray(1, 4).toString()).toBe('PNG')
})

test('draws a table as its columns are set', () => {
  const columns = [{ name: 'm', title: 'Money', format: { style: 'currency' as const, currency: 'EUR' } }, { name: 'n', isHidden: true }]
  const visualization = { type: 'table' as const, jsxConfig: '', marginConfig: defaultMargin, columns }
  const svg = drawImage({ title: 'Revenue', visualization, result: result(rows) })
  expect(svg).toContain('€2.50')
  expect(svg).toContain('>Money<')
  expect(svg).not.toContain('>-3<')
})

test.each([
  ['a number, exact', drawn('number', '<BarChart><Bar dataKey="m" unit=" €" /></BarChart>', result([['a', 1, '12345678901234567890.10']])), '12,345,678,901,234,567,890.10 €'],
  ['the first column without a chart', drawn('number', '', { ...result([[7]]), fields: [fields[1]!] }), '>7<'],
  ['a table', drawn('table', ''), '>-3<'],
  ['some of the rows', drawn('line', bars, result(rows, false)), 'The first 3 rows.'],
  ['a missing column', drawn('line', '<LineChart><Line dataKey="x" /></LineChart>'), 'The result has no column “x”'],
  ['no rows', drawn('bar', bars, result([])), 'The query returned no rows'],
  ['no result', drawn('bar', bars, 'No result yet'), '>No result yet<'],
  ['an invalid chart', drawn('bar', '<BarChart onClick="x" />'), 'The chart is not valid'],
])('says %s', (_, svg, words) => expect(svg).toContain(words))

describe('hostile titles and values', () => {
  const title = `${hostile} ${'long '.repeat(100)}`
  const types = ['bar', 'pie', 'table', 'number', 'scatter', 'line'] as const
  const jsx = {
    bar: '<BarChart><XAxis dataKey="label" /><Bar dataKey="n" name="<x onload=1>" fill="red&quot; onload=&quot;x" /></BarChart>',
    pie: '<PieChart><Pie dataKey="n" nameKey="label" /></PieChart>',
    scatter: '<ScatterChart><XAxis dataKey="label" /><YAxis dataKey="n" /><Scatter /></ScatterChart>',
    line: '<LineChart layout="vertical"><YAxis dataKey="label" type="category" /><XAxis type="number" /><Line dataKey="n" /></LineChart>',
    table: '',
    number: '<BarChart><Bar dataKey="label" name="<img src=x>" /></BarChart>',
  }
  test.each(types)('are drawn as text in a %s', async (type) => {
    const input = { type, jsxConfig: jsx[type], marginConfig: defaultMargin }
    const svg = drawImage({ title, visualization: input, result: result([[hostile, 3, '1'], [hostile, 5, '2']]) })
    expect(svg).not.toMatch(/<script|<img|onload="|<x /)
    expect(svg.length).toBeLessThan(20_000)
    expect((await renderPng(svg)).subarray(1, 4).toString()).toBe('PNG')
  })
})

test('many rows do not make the image larger', () => {
  const many = Array.from({ length: 20_000 }, (_, at) => [`row ${at}`, at % 97, null])
  expect(drawn('line', '<LineChart><XAxis dataKey="label" /><Line dataKey="n" /></LineChart>', result(many)).length).toBeLessThan(40_000)
  expect(drawn('pie', '<PieChart><Pie dataKey="n" nameKey="label" /></PieChart>', result(many))).toContain('Other')
})
