import type { Field } from '@querypost/visualization'
import { expect, test } from 'vitest'
import { chartOfRun } from './chart-of-run.ts'

const fields: Field[] = [
  { name: 'month', type: 'date' },
  { name: 'country', type: 'string' },
  { name: 'revenue', type: 'decimal' },
]
const rows = ['2025-01-01', '2025-02-01'].flatMap((month) => ['ES', 'FR'].map((country) => [month, country, '1.50']))
const run = { fields, rows }

test('suggests a chart if the model asks for none', () => {
  const { type, jsxConfig } = chartOfRun(undefined, run)
  expect(type).toBe('line')
  expect(jsxConfig).toContain('<Line dataKey="revenue" type="monotone" seriesKey="country" />')
  expect(chartOfRun(undefined, { fields: fields.slice(1, 2), rows: [['ES']] })).toMatchObject({ type: 'table', jsxConfig: '' })
})

test('chooses the columns of a type, except those that the model names', () => {
  expect(chartOfRun({ type: 'heatmap' }, run).jsxConfig).toContain('<YAxis dataKey="country" />')
  const { jsxConfig } = chartOfRun({ type: 'bar', columns: { category: 'country', values: ['revenue'], splitBy: 'month' } }, run)
  expect(jsxConfig).toContain('<XAxis dataKey="country" />')
  expect(jsxConfig).toContain('seriesKey="month"')
})

test('keeps JSX as the model writes it', () => {
  const jsxConfig = '<PieChart><Pie dataKey="revenue" nameKey="country" /></PieChart>'
  expect(chartOfRun({ type: 'pie', jsxConfig }, run)).toMatchObject({ type: 'pie', jsxConfig })
  expect(chartOfRun({ type: 'number', jsxConfig: '' }, run)).toMatchObject({ type: 'number', jsxConfig: '' })
})

test.each([
  ['a column that is not there', { type: 'bar', columns: { category: 'region' } }, 'The run has no column "region". Its columns are month, country, revenue.'],
  ['JSX with such a column', { type: 'line', jsxConfig: '<LineChart><Line dataKey="m" /></LineChart>' }, 'The run has no column "m".'],
  [
    'a line through several categories',
    { type: 'line', jsxConfig: '<LineChart><XAxis dataKey="month" /><Line dataKey="revenue" /></LineChart>' },
    'Several rows have the same month. Split the chart by country: seriesKey="country" on its series.',
  ],
  ['a column without numbers', { type: 'pie', jsxConfig: '<PieChart><Pie dataKey="month" nameKey="country" /></PieChart>' }, 'There are no numbers in “month”.'],
  ['the element of another type', { type: 'map', jsxConfig: '<BarChart><Bar dataKey="revenue" /></BarChart>' }, /map/],
] as const)('rejects %s', (_, request, message) => {
  expect(() => chartOfRun(request as Parameters<typeof chartOfRun>[0], run)).toThrow(message)
})

test('rejects a type for which the run has no columns', () => {
  const words = { fields: fields.slice(1, 2), rows: [['ES']] }
  expect(() => chartOfRun({ type: 'histogram' }, words)).toThrow('The run has no columns for a chart of type histogram.')
})
