import * as fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { describeChart } from '../describe.ts'
import type { Field } from '../fields.ts'
import { parseJsxConfig } from '../parse.ts'
import { prepareRows } from './prepare.ts'
import type { Category, ChartInput, DrawnSeries } from './prepared-chart.ts'

const field = (name: string, type: Field['type']): Field => ({ name, type })
const prepare = (jsx: string, fields: Field[], rows: unknown[][], options: Partial<ChartInput> = {}) =>
  prepareRows({ fields, rows, element: parseJsxConfig(jsx), locale: 'en', ...options })
const line = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" /></LineChart>'
const labelsOf = ({ count, labelAt }: Category) => Array.from({ length: count }, (_, at) => labelAt(at))
const texts = (series: DrawnSeries) => series.values.map((_, at) => series.textAt(at))

describe('values', () => {
  test('are parsed from the text of exact numbers, and from nothing else', () => {
    const values = ['12.50', '9007199254740993', -3, null, 'abc', '', ' 7 ', '1e3', '0x10', true, 'Infinity']
    const { series, notes } = prepare(line, [field('x', 'integer'), field('y', 'decimal')], values.map((y, x) => [x, y]))
    expect(series[0]!.values).toEqual([12.5, 9007199254740992, -3, null, null, null, 7, 1000, null, null, null])
    expect(series[0]!.textAt(1)).toBe('9,007,199,254,740,993')
    expect(notes).toEqual(['Skipped, because not a number: 5 values of “y”.'])
  })

  test('of thousands of categories are not labeled before a label is needed', () => {
    const format = vi.spyOn(Intl.DateTimeFormat.prototype as { format: object }, 'format', 'get')
    const rows = Array.from({ length: 5000 }, (_, minute) => [new Date(minute * 60_000).toISOString(), minute])
    const { category } = prepare(line, [field('x', 'timestamp'), field('y', 'integer')], rows)
    expect(format).not.toHaveBeenCalled()
    expect(category!.labelAt(0)).toBe('Jan 1, 1970, 00:00')
    expect(format).toHaveBeenCalled()
    format.mockRestore()
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
    const { category } = prepare(line, [field('x', type), field('y', 'integer')], values.map((x) => [x, 1]))
    expect(labelsOf(category!)).toEqual(labels)
  })

  test('are labeled and titled as the columns are set', () => {
    const columns = [
      { name: 'x', title: 'Quarter', format: { style: 'date' as const, granularity: 'quarter' as const } },
      { name: 'y', title: 'Revenue', format: { style: 'currency' as const, currency: 'EUR' } },
    ]
    const { category, series } = prepare(line, [field('x', 'date'), field('y', 'decimal')], [['2025-04-01', '1200.5']], { columns })
    expect([category!.title, labelsOf(category!)]).toEqual(['Quarter', ['Q2 2025']])
    expect([series[0]!.name, series[0]!.textAt(0)]).toEqual(['Revenue', '€1,200.50'])
  })

  test('are positioned correctly on a time axis', () => {
    const jsx = line.replace('<XAxis', '<XAxis scale="time"')
    const { category } = prepare(jsx, [field('x', 'date'), field('y', 'integer')], [['1970-01-02', 1], ['1970-01-05', 2]])
    expect(category!.positions).toEqual([86_400_000, 4 * 86_400_000])
    expect(category!.labelOf(86_400_000)).toBe('Jan 2, 1970')
  })

  test('of columns with any name are found, and shown with that name', () => {
    const fields = [field('count(*)', 'integer'), field('a.b', 'integer')]
    const { series } = prepare('<BarChart><Bar dataKey="a.b" /><Bar dataKey="count(*)" name="All" /></BarChart>', fields, [[1, 2]])
    expect(series.map(({ name, values }) => [name, values])).toEqual([['a.b', [2]], ['All', [1]]])
  })
})

describe('what cannot be drawn says what to do', () => {
  const fields = [field('x', 'string'), field('y', 'string')]
  test.each([
    ['<LineChart><Line dataKey="gone" /></LineChart>', /no column “gone”.*x, y.*Edit the chart/],
    ['<LineChart><Line dataKey="y" seriesKey="gone" /></LineChart>', /no column “gone”/],
    ['<LineChart><XAxis dataKey="x" /></LineChart>', /has no columns to draw/],
    ['<PivotTable><PivotRow dataKey="x" /></PivotTable>', /has no columns to draw/],
    [line, /no numbers in “y”/],
  ])('%s', (jsx, problem) => {
    const { problems, series } = prepare(jsx, fields, [['a', 'b']])
    expect(problems.join()).toMatch(problem)
    expect(series).toEqual([])
  })

  test.each([
    ['<PieChart><Pie dataKey="y" nameKey="x" /></PieChart>', /no values above zero to draw as slices/],
    ['<HeatmapChart><XAxis dataKey="x" /><Heatmap dataKey="y" /></HeatmapChart>', /needs a column for each axis/],
    ['<MapChart><Map dataKey="y" /></MapChart>', /needs a column with countries/],
    ['<MapChart><Map dataKey="y" nameKey="x" /></MapChart>', /None of the names in “x” is a country/],
  ])('%s with unfit values', (jsx, problem) => {
    const { problems } = prepare(jsx, [field('x', 'string'), field('y', 'integer')], [['a', -1]])
    expect(problems.join()).toMatch(problem)
  })
})

describe('rows with the same category', () => {
  const fields = [field('x', 'date'), field('country', 'string'), field('kind', 'string'), field('y', 'integer')]
  const rows = [['2025-01-01', 'DE', 'a', 1], ['2025-01-01', 'FR', 'a', 2], ['2025-02-01', 'DE', 'b', 3], ['2025-02-01', 'FR', 'a', 4]]

  test('are not joined to a zigzag; columns that tell them apart are offered', () => {
    const { problems, series, splitOffers } = prepare(line, fields, rows)
    expect(problems).toEqual(['Several rows have the same “x”, so a line would jump between them. Split the chart by a column that tells them apart.'])
    expect([series, splitOffers]).toEqual([[], ['country', 'kind']])
  })

  test('are separate bars, with a note', () => {
    const { notes, series, splitOffers } = prepare('<BarChart><XAxis dataKey="x" /><Bar dataKey="y" /></BarChart>', fields, rows)
    expect(series[0]!.values).toEqual([1, 2, 3, 4])
    expect(notes).toEqual(['Several rows have the same “x”. Each is drawn as its own bar.'])
    expect(splitOffers).toEqual(['country', 'kind'])
  })
})

describe('a split', () => {
  const fields = [field('x', 'date'), field('s', 'string'), field('y', 'decimal')]
  const split = (props = '') => `<LineChart><XAxis dataKey="x" /><Line dataKey="y" seriesKey="s" ${props} /></LineChart>`
  const rows = [
    ['2025-02-01', 'small', '0.1'], ['2025-01-01', 'large', '10.10'], ['2025-02-01', 'large', '20.20'],
    ['2025-01-01', 'tiny', '0.01'], ['2025-01-01', 'tiny', '0.02'], ['2025-01-01', 'mini', '0.03'],
  ]

  test('draws one series per value, the largest first, over times in order', () => {
    const { category, series, notes } = prepare(split(), fields, rows)
    expect(labelsOf(category!)).toEqual(['Jan 2025', 'Feb 2025'])
    expect(series.map(({ name, values }) => [name, values])).toEqual([
      ['large', [10.1, 20.2]], ['small', [null, 0.1]], ['tiny', [0.03, null]], ['mini', [0.03, null]],
    ])
    expect(notes).toEqual(['Rows with the same category and the same “s” are added up.'])
    expect(series[2]!.rowsAt(0)).toEqual([3, 4])
  })

  test('combines the smallest values as “Other”, exactly', () => {
    const { series, notes } = prepare(split('topN={2}'), fields, rows)
    expect(series.map(({ name }) => name)).toEqual(['large', 'small', 'Other'])
    expect(texts(series[2]!)).toEqual(['0.06', '–'])
    expect(series[2]!.rowsAt(0)).toEqual([3, 4, 5])
    expect(notes.at(-1)).toBe('The 2 smallest values of “s” are combined as “Other”.')
  })

  test('does not combine a single value', () => {
    expect(prepare(split('topN={3}'), fields, rows).series.map(({ name }) => name)).toEqual(['large', 'small', 'tiny', 'mini'])
  })

  test('keeps every sum, whatever is combined', () => {
    const row = fc.record({ month: fc.integer({ min: 1, max: 4 }), name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'), cents: fc.integer({ min: -999, max: 9999 }) })
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (given, topN) => {
        const made = given.map(({ month, name, cents }) => [`2025-0${month}-01`, name, (cents / 100).toFixed(2)])
        const { series } = prepare(split(`topN={${topN}}`), fields, made)
        const cents = (text: string) => (text === '–' ? 0 : Math.round(Number(text.replaceAll(',', '')) * 100))
        const total = series.flatMap(texts).reduce((sum, text) => sum + cents(text), 0)
        expect(total).toBe(given.reduce((sum, each) => sum + each.cents, 0))
        expect(series.flatMap((each) => each.values.flatMap((_, at) => each.rowsAt(at))).toSorted((a, b) => a - b)).toEqual([...made.keys()])
      }),
      { seed: 7, numRuns: 60 },
    )
  })

  test('names series by column and value where several columns are drawn', () => {
    const jsx = '<BarChart><XAxis dataKey="x" /><Bar dataKey="y" seriesKey="s" /><Bar dataKey="y" name="All" /></BarChart>'
    expect(prepare(jsx, fields, rows.slice(0, 2)).series.map(({ name }) => name)).toEqual(['y: large', 'y: small', 'All'])
  })

  test('becomes shares of 1 where it is stacked to 100%', () => {
    const jsx = '<BarChart stackOffset="expand"><XAxis dataKey="x" /><Bar dataKey="y" seriesKey="s" stackId="all" /></BarChart>'
    const { series } = prepare(jsx, fields, [['2025-01-01', 'a', '3'], ['2025-01-01', 'b', '1']])
    expect(series.map(({ values, isShare, textAt }) => [values, isShare, textAt(0)])).toEqual([
      [[0.75], true, '3 (75%)'], [[0.25], true, '1 (25%)'],
    ])
  })
})

describe('missing periods', () => {
  const fields = [field('x', 'date'), field('y', 'integer')]
  const rows = [['2025-01-01', 1], ['2025-04-01', 4], ['2025-02-01', null]]
  const chart = (missing: string) => line.replace('<LineChart', `<LineChart missing="${missing}"`)

  test.each([
    ['gap', [1, null, null, 4]],
    ['zero', [1, null, 0, 4]],
    ['connect', [1, null, null, 4]],
  ])('with "%s"', (missing, values) => {
    const { category, series } = prepare(chart(missing), fields, rows)
    expect(labelsOf(category!)).toEqual(['Jan 2025', 'Feb 2025', 'Mar 2025', 'Apr 2025'])
    expect(series[0]!.values).toEqual(values)
    expect(series[0]!.rowsAt(3)).toEqual([1])
  })

  test('are left alone without it, and where the times are on no step', () => {
    expect(labelsOf(prepare(line, fields, rows).category!)).toHaveLength(3)
    const odd = [['2025-01-01T00:00:01Z', 1], ['2025-01-03T00:00:00Z', 2]]
    const { category, notes } = prepare(chart('gap'), [field('x', 'timestamp'), field('y', 'integer')], odd)
    expect([category!.count, notes]).toEqual([2, ['Missing periods are not filled in, because the times are on no common step or too far apart.']])
  })
})

describe('derived lines', () => {
  const fields = [field('x', 'integer'), field('y', 'number')]
  test('follow their formulas', () => {
    const jsx = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" trend="linear" movingAverage={2} /></LineChart>'
    const { series } = prepare(jsx, fields, [[1, 1], [2, 3], [3, null], [4, 7]])
    expect(series.map(({ name, derivedFrom }) => [name, derivedFrom])).toEqual([
      ['y', null], ['y: trend', 'trend'], ['y: average of 2', 'movingAverage'],
    ])
    for (const [at, expected] of [1, 3, 5, 7].entries()) expect(series[1]!.values[at]).toBeCloseTo(expected, 10)
    expect(series[2]!.values).toEqual([null, 2, 3, 7])
  })

  test('are left out where there are too few values', () => {
    const jsx = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" trend="linear" /></LineChart>'
    expect(prepare(jsx, fields, [[1, 1]]).series).toHaveLength(1)
  })
})

test('a logarithmic axis leaves out zero and negative values, and says so', () => {
  const jsx = '<LineChart><XAxis dataKey="x" /><YAxis scale="log" /><Line dataKey="y" /></LineChart>'
  const { series, notes } = prepare(jsx, [field('x', 'integer'), field('y', 'integer')], [[1, 10], [2, 0], [3, -1]])
  expect(series[0]!.values).toEqual([10, null, null])
  expect(notes).toEqual(['Values of zero or less are not shown, because the axis is logarithmic.'])
})

test('places of references: values, labels, and the period that a day lies in', () => {
  const { category } = prepare(line, [field('x', 'date'), field('y', 'integer')], [['2025-01-01', 1], ['2025-02-01', 2], ['2025-03-01', 3]])
  expect(['2025-02-01', 'Mar 2025', '2025-02-20', '2025-03-15', '2024-12-31', '2025-08-01', 'x'].map((value) => category!.placeOf(value))).toEqual([
    1, 2, 1, 2, null, null, null,
  ])
})

describe('many rows', () => {
  const fields = [field('x', 'integer'), field('y', 'number'), field('z', 'number')]
  const jsx = '<LineChart><XAxis dataKey="x" /><Line dataKey="y" /><Line dataKey="z" /></LineChart>'

  test('keep their order, their ends and every extreme, and say how many are shown', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2001, max: 9000 }), fc.integer({ min: 1, max: 1000 }), (count, seed) => {
        const rows = Array.from({ length: count }, (_, at) => [at, Math.sin(at * seed) * at, at % 7 === 0 ? null : (at * seed) % 1013])
        const { series, notes } = prepare(jsx, fields, rows)
        const places = series[0]!.values.flatMap((_, at) => series[0]!.rowsAt(at))
        expect(places.length).toBeLessThanOrEqual(2000)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
        expect([places[0], places.at(-1)]).toEqual([0, count - 1])
        for (const [column, drawn] of [[1, series[0]!], [2, series[1]!]] as const) {
          const all = rows.map((row) => row[column]!).filter((value) => value !== null)
          const kept = drawn.values.filter((value) => value !== null)
          expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)])
        }
        expect(notes[0]).toMatch(/^Showing [\d,]+ of [\d,]+ rows/)
      }),
      { seed: 4, numRuns: 10 },
    )
  })

  test('of a scatter chart are chosen evenly, with the extremes', () => {
    const rows = Array.from({ length: 50_000 }, (_, at) => [at, at === 33_333 ? 1e9 : 1, 0])
    const { series } = prepare('<ScatterChart><XAxis dataKey="x" type="number" /><YAxis dataKey="y" /><Scatter /></ScatterChart>', fields, rows)
    expect(series[0]!.values.length).toBeLessThanOrEqual(2000)
    expect(series[0]!.values).toContain(1e9)
  })

  test('of bars over names are the first ones, with their colors', () => {
    const cells = Array.from({ length: 3 }, (_, at) => `<Cell fill="#${at}${at}${at}" />`).join('')
    const bars = `<BarChart><XAxis dataKey="x" /><Bar dataKey="y">${cells}</Bar></BarChart>`
    const rows = Array.from({ length: 600 }, (_, at) => [`name ${at}`, at])
    const { series, notes } = prepare(bars, [field('x', 'string'), field('y', 'integer')], rows)
    expect(series[0]!.values).toHaveLength(500)
    expect(notes).toEqual(['Showing the first 500 of 600 rows. Group or limit the rows in the SQL to see all of them.'])
    expect([0, 1, 2, 3].map(series[0]!.colorAt)).toEqual(['#000', '#111', '#222', null])
  })
})

describe('slices', () => {
  const fields = [field('name', 'string'), field('y', 'integer')]

  test('are the largest ones and one for the others, with the same sum', () => {
    const rows = Array.from({ length: 30 }, (_, at) => [`slice ${at}`, at + 1])
    const { category, series, notes } = prepare('<PieChart><Pie dataKey="y" nameKey="name" /></PieChart>', fields, [...rows, ['under', -5]])
    expect(series[0]!.values).toHaveLength(12)
    expect([labelsOf(category!).at(-1), series[0]!.values.at(-1)]).toEqual(['Other', 190])
    expect(series[0]!.values.reduce((sum, value) => sum! + value!, 0)).toBe(465)
    expect(notes).toEqual([
      'Skipped, because slices cannot be negative: 1 row.',
      'The 19 smallest slices are combined as “Other”.',
    ])
  })

  test('take their names from the column `name`, unless specified otherwise', () => {
    const { category, series } = prepare('<PieChart><Pie dataKey="y" /></PieChart>', fields, [['a', 1], ['b', 3]])
    expect([labelsOf(category!), series[0]!.textAt(1)]).toEqual([['a', 'b'], '3 (75%)'])
  })

  test('of a funnel keep their order and compare with the first', () => {
    const { series } = prepare('<FunnelChart><Funnel dataKey="y" nameKey="name" /></FunnelChart>', fields, [['visit', 200], ['buy', 0], ['pay', 50]])
    expect(texts(series[0]!)).toEqual(['200 (100%)', '0 (0%)', '50 (25%)'])
  })
})

test('a scatter chart has sizes and colors from columns', () => {
  const fields = [field('x', 'number'), field('y', 'number'), field('size', 'integer'), field('kind', 'string')]
  const jsx = '<ScatterChart><XAxis dataKey="x" type="number" /><YAxis dataKey="y" /><ZAxis dataKey="size" /><Scatter seriesKey="kind" /></ScatterChart>'
  const { series } = prepare(jsx, fields, [[1, 2, 10, 'a'], [3, 9, 20, 'b'], [null, 5, 30, 'a'], [4, 1, null, 'a']])
  expect(series.map(({ name, values, places }) => [name, places!.x, values, places!.sizes])).toEqual([
    ['b', [3], [9], [20]], ['a', [1, 4], [2, 1], [10, null]],
  ])
  expect(series[1]!.rowsAt(1)).toEqual([3])
})

test('a heat map adds up the rows of a cell, over numbers in order and names in the order of the rows', () => {
  const fields = [field('day', 'string'), field('hour', 'integer'), field('n', 'decimal')]
  const jsx = '<HeatmapChart><XAxis dataKey="day" /><YAxis dataKey="hour" /><Heatmap dataKey="n" /></HeatmapChart>'
  const { category, verticalCategory, series, notes } = prepare(jsx, fields, [['Tue', 9, '0.1'], ['Mon', 8, '1'], ['Tue', 9, '0.2']])
  expect([labelsOf(category!), labelsOf(verticalCategory!)]).toEqual([['Tue', 'Mon'], ['8', '9']])
  expect([series[0]!.cells, texts(series[0]!), notes]).toEqual([[{ x: 0, y: 1 }, { x: 1, y: 0 }], ['0.3', '1'], ['Rows of the same cell are added up.']])
})

describe('a histogram', () => {
  const fields = [field('y', 'number')]
  const chart = (props = '') => `<HistogramChart><Histogram dataKey="y" ${props} /></HistogramChart>`

  test('counts every value once', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1, maxLength: 80 }), fc.option(fc.integer({ min: 1, max: 30 })), (values, bins) => {
        const { series } = prepare(chart(bins === null ? '' : `bins={${bins}}`), fields, values.map((value) => [value]))
        expect(series[0]!.values.reduce((sum, count) => sum! + count!, 0)).toBe(values.length)
      }),
      { seed: 3, numRuns: 60 },
    )
  })

  test('has round bounds, or as many equal intervals as asked for', () => {
    const rows = Array.from({ length: 100 }, (_, at) => [at])
    expect(labelsOf(prepare(chart(), fields, rows).category!).slice(0, 2)).toEqual(['0 – 20', '20 – 40'])
    expect(prepare(chart('bins={3}'), fields, [[0], [1], [2], [6]]).series[0]!.values).toEqual([2, 1, 1])
  })
})

test('a map finds countries by name and code, adds them up, and says what it leaves out', () => {
  const fields = [field('country', 'string'), field('y', 'decimal')]
  const rows = [['germany', '1.1'], ['DEU', '2.2'], ['Côte d’Ivoire', '5'], ['us', '7'], ['Singapore', '1'], ['Atlantis', '1'], [null, '1']]
  const { series, category, notes } = prepare('<MapChart><Map dataKey="y" nameKey="country" /></MapChart>', fields, rows)
  expect([series[0]!.shapeIds, category!.labelAt(0), texts(series[0]!)]).toEqual([['DE', 'CI', 'US'], 'Germany', ['3.3', '5', '7']])
  expect(notes).toEqual([
    'Not recognized as countries: “Atlantis”, “null”.',
    'Too small for the map: “Singapore”.',
    'Rows of the same country are added up.',
  ])
})

test('a chart is described in words', () => {
  const fields = [field('month', 'date'), field('revenue', 'decimal')]
  const rows = [['2025-01-01', '10.50'], ['2025-02-01', '7'], ['2025-03-01', '8.25']]
  const jsx = '<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" name="Revenue" /></LineChart>'
  expect(describeChart(prepare(jsx, fields, rows), { rows, locale: 'en' })).toBe(
    'Line chart of Revenue by month, 3 rows, from Jan 2025 to Mar 2025. Revenue: lowest 7, highest 10.5, last 8.25.',
  )
})
