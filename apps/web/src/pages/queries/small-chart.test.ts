import type { Field } from '@querypost/visualization'
import { expect, test } from 'vitest'
import { smallChartOf } from './small-chart.ts'

const month: Field = { name: 'month', type: 'date' }
const revenue: Field = { name: 'revenue', type: 'decimal' }
const id: Field = { name: 'order_id', type: 'integer' }
const name: Field = { name: 'name', type: 'string' }

test('shows one row as a number', () => {
  const chart = smallChartOf({ fields: [name, revenue], rows: [['a', '1234.50']] })
  expect(chart).toEqual({ kind: 'number', text: '1,234.50', label: 'revenue' })
})

test('shows a time series as a line, in the order of time and thinned out', () => {
  const rows = [['2025-03-01', '3'], ['2025-01-01', '1'], ['2025-02-01', '2']]
  expect(smallChartOf({ fields: [month, revenue], rows })).toEqual({ kind: 'line', values: [1, 2, 3], label: 'revenue', latest: '3' })
  const many = Array.from({ length: 500 }, (_, at) => [new Date(at * 86_400_000).toISOString().slice(0, 10), String(at)])
  const chart = smallChartOf({ fields: [month, revenue], rows: many })
  expect(chart).toMatchObject({ kind: 'line' })
  expect(chart?.kind === 'line' && [chart.values.length <= 60, chart.values.at(-1)]).toEqual([true, 499])
})

test('shows categories as bars', () => {
  expect(smallChartOf({ fields: [name, id, revenue], rows: [['a', 1, '5'], ['b', 2, '7']] })).toMatchObject({ kind: 'bar', values: [5, 7] })
})

test('shows the first rows of anything else, and nothing of an empty result', () => {
  expect(smallChartOf({ fields: [id, name], rows: [[1, 'a'], [2, null]] })).toEqual({ kind: 'table', rows: [['1', 'a'], ['2', 'null']] })
  expect(smallChartOf({ fields: [name], rows: [] })).toBeNull()
})
