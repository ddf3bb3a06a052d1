import { expect, test } from 'vitest'
import type { FirstRows } from '../../../api/first-rows.ts'
import type { Visualization } from '../../../api/references.ts'
import { readChart } from './chart-data.ts'

const rows: FirstRows = {
  fields: [
    { name: 'week', type: 'date' },
    { name: 'revenue', type: 'decimal' },
    { name: 'orders', type: 'integer' },
  ],
  rows: [
    ['2025-12-01', '12.50', 3],
    ['2025-12-08', null, -2],
  ],
}
const chart = (type: Visualization['type'], jsxConfig: string): Visualization => ({
  type,
  jsxConfig,
  marginConfig: { top: 0, right: 0, bottom: 0, left: 0 },
})

test('the columns that a chart names are drawn', () => {
  const jsx = `<LineChart><XAxis tick={false} dataKey="week" /><Line type="monotone" dataKey="revenue" /><Line dataKey={'orders'} /></LineChart>`
  expect(readChart(chart('line', jsx), rows)).toEqual({
    labels: ['2025-12-01', '2025-12-08'],
    series: [
      { name: 'revenue', values: [12.5, null] },
      { name: 'orders', values: [3, -2] },
    ],
    least: -2,
    most: 12.5,
  })
})

test.each([
  ['pie', '<PieChart><Pie dataKey="orders" nameKey="week" /></PieChart>'],
  ['table', ''],
  ['bar', '<BarChart><Bar dataKey="orders" /></BarChart>'],
  ['bar', '<BarChart><XAxis dataKey="week" /><Bar dataKey="profit" /></BarChart>'],
  ['bar', '<BarChart><XAxis dataKey="week" /></BarChart>'],
  ['bar', '<BarChart><XAxis dataKey="orders" /><Bar dataKey="week" /></BarChart>'],
] as const)('what cannot be drawn is not: %s %s', (type, jsx) => {
  expect(readChart(chart(type, jsx), rows)).toBeUndefined()
})

test('nothing is drawn of no rows', () => {
  const jsx = '<BarChart><XAxis dataKey="week" /><Bar dataKey="orders" /></BarChart>'
  expect(readChart(chart('bar', jsx), { ...rows, rows: [] })).toBeUndefined()
  expect(readChart(chart('bar', jsx), rows)).toMatchObject({ least: -2, most: 3 })
})
