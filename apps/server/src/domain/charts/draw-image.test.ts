import { type Field, defaultMargin, type VisualizationType } from '@querypost/visualization'
import { describe, expect, test } from 'vitest'
import { drawImage, type ImageRows } from './draw-image.ts'
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

test('draws a bar for every value', () => {
  const svg = drawn('bar', bars)
  expect(svg.match(/<g fill="#2b7a86">(.*?)<\/g>/)?.[1]!.match(/<rect /g)).toHaveLength(3)
  expect(svg.match(/<g fill="#ff0000">(.*?)<\/g>/)?.[1]!.match(/<rect /g)).toHaveLength(2)
  expect(svg).toContain('>Money<')
  expect(svg).toContain('Querypost · 2026-01-05 10:00 UTC')
})

test('stacks values on top of each other', () => {
  const svg = drawn('bar', bars.replaceAll('<Bar ', '<Bar stackId="all" '), result([['a', 10, '30']]))
  const heights = [...svg.matchAll(/<rect x="[\d.]+" y="([\d.]+)" width="[\d.]+" height="([\d.]+)"\/>/g)].slice(-2)
  const [below, above] = heights.map(([, y, height]) => ({ top: Number(y), height: Number(height) }))
  expect(above!.top + above!.height).toBeCloseTo(below!.top, 1)
  expect(above!.height / below!.height).toBeCloseTo(3, 2)
})

test('a line has a gap where a value is missing', () => {
  const svg = drawn('line', '<LineChart><XAxis dataKey="label" /><Line dataKey="m" /></LineChart>')
  expect(svg.match(/<circle /g)).toHaveLength(2)
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
