import { type Field, parseJsxConfig, usualMargin, type Visualization } from '@querypost/visualization'
import { describe, expect, test } from 'vitest'
import { empty, nextColumn, withText, withType } from './draft.ts'

const fields: Field[] = [
  { name: 'month', type: 'date' },
  { name: 'revenue', type: 'decimal' },
  { name: 'orders', type: 'integer' },
]
const rows = [['2025-01-01', '1', 1], ['2025-02-01', '2', 2]]
const line: Visualization = {
  type: 'line',
  jsxConfig: '<LineChart><XAxis dataKey="month" /><Line dataKey="orders" name="All" /></LineChart>',
  marginConfig: { ...usualMargin, left: 40 },
}

describe('another type', () => {
  test('begins with what the columns suggest', () => {
    const bar = withType(empty, { type: 'bar', known: null, fields, rows })
    expect(bar.jsxConfig).toContain('<XAxis dataKey="month" />')
    expect(bar.jsxConfig).toContain('<Bar dataKey="revenue" />')
  })

  test('takes over the columns that were drawn, and the margins', () => {
    const pie = withType(line, { type: 'pie', known: parseJsxConfig(line.jsxConfig), fields, rows })
    expect(pie).toMatchObject({ type: 'pie', marginConfig: line.marginConfig })
    expect(pie.jsxConfig).toContain('<Pie dataKey="orders" nameKey="month" />')
  })

  test.each(['table', 'number'] as const)('a %s needs no text', (type) => {
    expect(withType(line, { type, known: null, fields, rows }).jsxConfig).toBe('')
  })

  test('is there even where there is nothing to draw', () => {
    const made = withType(empty, { type: 'scatter', known: null, fields: [{ name: 'a', type: 'string' }], rows: [] })
    expect(() => parseJsxConfig(made.jsxConfig)).not.toThrow()
  })
})

test('the type follows the text, once that is a chart', () => {
  expect(withText(line, '<BarChart><Bar dataKey="orders" /></BarChart>').type).toBe('bar')
  expect(withText(line, '<BarChart').type).toBe('line')
  expect(withText(line, '<ComposedChart><Bar dataKey="orders" /></ComposedChart>').type).toBe('line')
  expect(withText({ ...line, type: 'number' }, '<BarChart><Bar dataKey="orders" /></BarChart>').type).toBe('number')
})

test('the next column is one that is not drawn yet', () => {
  expect(nextColumn(parseJsxConfig(line.jsxConfig), fields)?.name).toBe('revenue')
  expect(nextColumn(parseJsxConfig(line.jsxConfig), fields.slice(0, 1))).toBeUndefined()
})
