import { describe, expect, test } from 'vitest'
import { describeChart } from '../describe.ts'
import type { Field } from '../fields.ts'
import { parseJsxConfig } from '../parse.ts'
import { chooseDrawnRows } from './drawn-rows.ts'
import { prepareRows } from './prepare.ts'
import type { ChartInput, PreparedChart } from './prepared-chart.ts'

const fields: Field[] = [{ name: 'at', type: 'timestamp' }, { name: 'orders', type: 'integer' }, { name: 'revenue', type: 'decimal' }, { name: 'country', type: 'string' }]
const minuteMs = 60_000
const rowAt = (minute: number): unknown[] => [
  `${new Date(minute * minuteMs).toISOString().slice(0, 19)}Z`, (minute * 7919) % 997, `${(minute * 31) % 501}.50`, `Country ${minute % 3}`,
]
const rows = Array.from({ length: 3000 }, (_, minute) => rowAt(minute))
const lines = '<Line dataKey="orders" /><Line dataKey="revenue" />'
const chart = (parts = lines, props = '', axis = '') => `<LineChart${props}><XAxis dataKey="at"${axis} /><YAxis />${parts}</LineChart>`
const inputOf = (jsx: string, given: unknown[][] = rows) => ({ fields, rows: given, element: parseJsxConfig(jsx), locale: 'en', maxRows: 400 })
const choose = (jsx: string, given: unknown[][] = rows) => chooseDrawnRows(inputOf(jsx, given))

/** Everything that is drawn and read. */
const contentOf = (prepared: PreparedChart, input: Pick<ChartInput, 'rows' | 'rowCount'>) => ({
  labels: Array.from({ length: prepared.category!.count }, (_, at) => prepared.category!.labelAt(at)),
  positions: prepared.category!.positions,
  series: prepared.series.map(({ name, values, textAt, rowsAt }) => ({
    name, values, texts: values.map((_, at) => textAt(at)), rows: values.map((_, at) => input.rows[rowsAt(at)[0]!]),
  })),
  notes: prepared.notes,
  problems: prepared.problems,
  description: describeChart(prepared, { ...input, locale: 'en' }),
})

test.each([
  ['lines over labels', chart()],
  ['lines over time', chart(lines, '', ' scale="time"')],
  ['stacked areas', '<AreaChart><XAxis dataKey="at" /><Area dataKey="orders" stackId="a" /><Area dataKey="revenue" stackId="a" /></AreaChart>'],
  ['lines down a side', chart(lines, ' layout="vertical"').replace('<XAxis dataKey="at" /><YAxis />', '<XAxis /><YAxis dataKey="at" />')],
])('draws the same from the chosen rows as from all: %s', (_, jsx) => {
  const input = inputOf(jsx)
  const chosen = chooseDrawnRows(input)!
  expect(chosen.length).toBeGreaterThan(100)
  expect(chosen.length).toBeLessThanOrEqual(input.maxRows)
  const short = { ...input, rows: chosen.map((row) => rows[row]!), rowCount: rows.length }
  expect(contentOf(prepareRows(short), short)).toEqual(contentOf(prepareRows(input), input))
})

describe('needs all rows', () => {
  test.each([
    ['of a short result', chart(), rows.slice(0, 400)],
    ['that are bars', '<BarChart><XAxis dataKey="at" /><Bar dataKey="orders" /></BarChart>', rows],
    ['of a line with bars', chart(lines, '').replaceAll('LineChart', 'ComposedChart').replace('<Line dataKey="orders" />', '<Bar dataKey="orders" />'), rows],
    ['that are added up by a split', chart('<Line dataKey="orders" seriesKey="country" />'), rows],
    ['of a trend', chart('<Line dataKey="orders" trend="linear" />'), rows],
    ['of a moving average', chart('<Line dataKey="orders" movingAverage={7} />'), rows],
    ['between missing periods', chart(lines, ' missing="zero"'), rows],
    ['that are shares', chart(lines, ' stackOffset="expand"'), rows],
    ['on a logarithmic axis', chart().replace('<YAxis />', '<YAxis scale="log" />'), rows],
    ['with a reference line', chart(`${lines}<ReferenceLine x="1970-01-02" />`), rows],
    ['without a column for the axis', chart().replace(' dataKey="at"', ''), rows],
    ['that repeat a category', chart(), [...rows, rowAt(7)]],
    ['where some are not numbers', chart(), rows.with(7, [rowAt(7)[0], 'unknown', '1', ''])],
    ['if there is no such column', chart('<Line dataKey="profit" />'), rows],
  ])('%s', (_, jsx, given) => {
    expect(choose(jsx, given)).toBeNull()
  })

  test('whose labels would be shorter without the others', () => {
    const days = Array.from({ length: 3000 }, (_, day) => [`${new Date(day * 1440 * minuteMs).toISOString().slice(0, 19)}Z`, day, '1', ''])
    expect(choose(chart('<Line dataKey="orders" />'), days)).not.toBeNull()
    // The only time of day is neither the highest nor the lowest value of its section, nor at an end.
    const one = days.with(1500, ['1974-02-09T09:30:00Z', 1500, '1', ''])
    expect(choose(chart('<Line dataKey="orders" />'), one)).toBeNull()
  })
})
