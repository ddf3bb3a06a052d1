import { defaultMargin, elementsOfTypes, type Field, parseJsxConfig, type Visualization, visualizationTypes } from '@querypost/visualization'
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
  marginConfig: { ...defaultMargin, left: 40 },
}

describe('withType', () => {
  test('starts from the suggested columns', () => {
    const bar = withType(empty, { type: 'bar', known: null, fields, rows })
    expect(bar.jsxConfig).toContain('<XAxis dataKey="month" />')
    expect(bar.jsxConfig).toContain('<Bar dataKey="revenue" />')
  })

  test('keeps the columns and margins of the previous chart', () => {
    const pie = withType(line, { type: 'pie', known: parseJsxConfig(line.jsxConfig), fields, rows })
    expect(pie).toMatchObject({ type: 'pie', marginConfig: line.marginConfig })
    expect(pie.jsxConfig).toContain('<Pie dataKey="orders" nameKey="month" />')
  })

  test('clears the JSX for a table', () => {
    expect(withType(line, { type: 'table', known: null, fields, rows }).jsxConfig).toBe('')
  })

  test('compares a number with the period before', () => {
    const number = withType(line, { type: 'number', known: parseJsxConfig(line.jsxConfig), fields, rows })
    expect(number.jsxConfig).toContain('<Number dataKey="orders" name="All" timeKey="month" compare="previous" sparkline />')
  })

  const drawnTypes = visualizationTypes.filter((type) => type !== 'table' && type !== 'number')
  test.each(drawnTypes)('makes a valid %s even without drawable columns', (type) => {
    const { jsxConfig } = withType(empty, { type, known: null, fields: [{ name: 'a', type: 'string' }], rows: [] })
    expect(elementsOfTypes[type]).toContain(parseJsxConfig(jsxConfig).name)
  })
})

test('withText derives the type from valid JSX', () => {
  expect(withText(line, '<BarChart><Bar dataKey="orders" /></BarChart>').type).toBe('bar')
  expect(withText(line, '<BarChart').type).toBe('line')
  expect(withText(line, '<ComposedChart><Bar dataKey="orders" /></ComposedChart>').type).toBe('combo')
  expect(withText({ ...line, type: 'number' }, '<MapChart><Map dataKey="orders" /></MapChart>').type).toBe('map')
  expect(withText({ ...line, type: 'number' }, '<BarChart><Bar dataKey="orders" /></BarChart>').type).toBe('number')
})

test('nextColumn returns the first numeric column not drawn yet', () => {
  expect(nextColumn(parseJsxConfig(line.jsxConfig), fields)?.name).toBe('revenue')
  expect(nextColumn(parseJsxConfig(line.jsxConfig), fields.slice(0, 1))).toBeUndefined()
})
