import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeChart } from './describe.ts'
import type { Field } from './fields.ts'
import { parseJsxConfig } from './parse.ts'
import { prepareRows } from './prepare.ts'

const field = (name: string, type: Field['type']): Field => ({ name, type })
const prepare = (jsx: string, fields: Field[], rows: unknown[][]) =>
  prepareRows({ fields, rows, element: parseJsxConfig(jsx), locale: 'en' })
const line = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" /></LineChart>'

describe('values', () => {
  test('are parsed from the text of exact numbers, and from nothing else', () => {
    const values = ['12.50', '9007199254740993', -3, null, 'abc', '', ' 7 ', '1e3', '0x10', true, 'Infinity']
    const { points, notes } = prepare(line, [field('x', 'integer'), field('y', 'decimal')], values.map((y, x) => [x, y]))
    expect(points.map((point) => point['number1'])).toEqual([12.5, 9007199254740992, -3, null, null, null, 7, 1000, null, null, null])
    expect(notes).toEqual(['Skipped, because not a number: 5 values of “y”.'])
  })

  test.each<[string[], Field['type'], string[]]>([
    [['2025-01-01', '2026-01-01'], 'date', ['2025', '2026']],
    [['2025-01-01', '2025-02-01'], 'date', ['Jan 2025', 'Feb 2025']],
    [['2025-01-01'], 'date', ['Jan 2025']],
    [['2025-12-01', '2025-12-08'], 'date', ['Dec 1, 2025', 'Dec 8, 2025']],
    [['2025-12-01T00:00:00Z', '2025-12-01T13:05:00Z'], 'timestamp', ['Dec 1, 2025, 00:00', 'Dec 1, 2025, 13:05']],
    [['2025-12-01T13:05:07.250Z'], 'timestamp', ['Dec 1, 2025, 13:05:07']],
    [['2025-01-01', 'infinity'], 'date', ['Jan 2025', 'infinity']],
  ])('label moments as briefly as they can be distinguished: %j', (values, type, labels) => {
    const { points } = prepare(line, [field('x', type), field('y', 'integer')], values.map((x) => [x, 1]))
    expect(points.map((point) => point['label0'])).toEqual(labels)
  })

  test('are positioned correctly on a time axis', () => {
    const jsx = line.replace('<XAxis', '<XAxis scale="time"')
    const { points, element } = prepare(jsx, [field('x', 'date'), field('y', 'integer')], [['1970-01-02', 1], ['1970-01-05', 2]])
    expect(points.map((point) => point['time0'])).toEqual([86_400_000, 4 * 86_400_000])
    expect(element.children[0]!.props).toMatchObject({ type: 'number', scale: 'time', domain: ['dataMin', 'dataMax'] })
  })

  test('of columns with any name are found, and shown with that name', () => {
    const fields = [field('count(*)', 'integer'), field('a.b', 'integer')]
    const { element, points } = prepare('<BarChart><Bar dataKey="a.b" /><Bar dataKey="count(*)" name="All" /></BarChart>', fields, [[1, 2]])
    expect(element.children.map(({ props }) => props)).toEqual([{ name: 'a.b', dataKey: 'number0' }, { name: 'All', dataKey: 'number1' }])
    expect(points).toEqual([{ row: 0, number0: 2, number1: 1 }])
  })
})

test('a ring takes its names from the column `name`, unless specified otherwise', () => {
  const fields = [field('name', 'string'), field('y', 'integer')]
  const { element, points } = prepare('<PieChart><Pie dataKey="y" /></PieChart>', fields, [['a', 1]])
  expect(element.children[0]!.props).toEqual({ dataKey: 'number0', name: 'y', nameKey: 'label1' })
  expect(points).toEqual([{ row: 0, number0: 1, label1: 'a' }])
})

describe('what cannot be drawn says what to do', () => {
  const fields = [field('x', 'string'), field('y', 'string')]
  test.each([
    ['<LineChart><Line dataKey="gone" /></LineChart>', /no column “gone”.*x, y.*Edit the chart/],
    ['<LineChart><XAxis dataKey="x" /></LineChart>', /has no columns to draw/],
    [line, /no numbers in “y”/],
  ])('%s', (jsx, problem) => {
    const { problems, points } = prepare(jsx, fields, [['a', 'b']])
    expect(problems.join()).toMatch(problem)
    expect(points).toEqual([])
  })

  test('only negative slices', () => {
    const { problems } = prepare('<PieChart><Pie dataKey="y" nameKey="x" /></PieChart>', [field('x', 'string'), field('y', 'integer')], [['a', -1]])
    expect(problems).toHaveLength(1)
  })
})

describe('many rows', () => {
  const fields = [field('x', 'integer'), field('y', 'number'), field('z', 'number')]
  const jsx = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" /><Line dataKey="z" /></LineChart>'

  test('keep their order, their ends and every extreme, and say how many are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2001, max: 9000 }), fc.integer({ min: 1, max: 1000 }), (count, seed) => {
        const rows = Array.from({ length: count }, (_, at) => [at, Math.sin(at * seed) * at, at % 7 === 0 ? null : (at * seed) % 1013])
        const { points, notes } = prepare(jsx, fields, rows)
        const places = points.map(({ row }) => row)
        expect(places.length).toBeLessThanOrEqual(2000)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect([places[0], places.at(-1)]).toEqual([0, count - 1])
        for (const [column, key] of [[1, 'number1'], [2, 'number2']] as const) {
          const all = rows.map((row) => row[column]!).filter((value) => value !== null)
          const kept = points.map((point) => point[key]).filter((value) => value !== null) as number[]
          expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)])
        }
        expect(notes[0]).toMatch(/^Showing [\d,]+ of [\d,]+ rows/)
      }),
      { seed: 4, numRuns: 20 },
    )
  })

  test('of a scatter chart are chosen evenly, with the extremes', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => [at, at === 33_333 ? 1e9 : 1, 0])
    const { points } = prepare('<ScatterChart><XAxis dataKey="x" /><YAxis dataKey="y" /><Scatter /></ScatterChart>', fields, rows)
    expect(points.length).toBeLessThanOrEqual(2000)
    expect(points.some((point) => point['number1'] === 1e9)).toBe(true)
  })

  test('of bars over names are the first ones, with their colors', () => {
    const cells = Array.from({ length: 3 }, (_, at) => `<Cell fill="#${at}${at}${at}" />`).join('')
    const bars = `<BarChart><XAxis dataKey="x" /><Bar dataKey="y">${cells}</Bar></BarChart>`
    const rows = Array.from({ length: 600 }, (_, at) => [`name ${at}`, at])
    const { points, notes, element } = prepare(bars, [field('x', 'string'), field('y', 'integer')], rows)
    expect(points).toHaveLength(500)
    expect(notes).toEqual(['Showing the first 500 of 600 rows. Group or limit the rows in the SQL to see all of them.'])
    expect(element.children[1]!.children.slice(0, 4).map(({ props }) => props['fill'])).toEqual(['#000', '#111', '#222', undefined])
  })

  test('of a pie become its largest slices and one for the others, with the same sum', () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`slice ${at}`, at + 1])
    const { points, notes } = prepare('<PieChart><Pie dataKey="y" nameKey="x" /></PieChart>', [field('x', 'string'), field('y', 'integer')], [...rows, ['under', -5]])
    expect(points).toHaveLength(12)
    expect(points.at(-1)).toEqual({ row: -1, number0: 190, label1: 'Other' })
    expect(points.reduce((sum, point) => sum + (point['number0'] as number), 0)).toBe(465)
    expect(notes).toEqual([
      'Skipped, because slices cannot be negative: 1 row.',
      'The 19 smallest slices are combined as “Other”.',
    ])
  })
})

test('a chart is described in words', () => {
  const fields = [field('month', 'date'), field('revenue', 'decimal')]
  const rows = [['2025-01-01', '10.50'], ['2025-02-01', '7'], ['2025-03-01', '8.25']]
  const jsx = '<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" name="Revenue" /></LineChart>'
  expect(describeChart(prepare(jsx, fields, rows), { fields, rows, locale: 'en' })).toBe(
    'Line chart of Revenue by month, 3 rows, from Jan 2025 to Mar 2025. Revenue: lowest 7, highest 10.5, last 8.25.',
  )
})
