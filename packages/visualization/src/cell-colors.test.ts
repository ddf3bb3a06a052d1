import { expect, test } from 'vitest'
import { cellColors } from './cell-colors.ts'
import type { ColorRule } from './column-settings.ts'
import type { Field } from './fields.ts'

const amount: Field = { name: 'amount', type: 'decimal' }
const [red, green] = ['#ff0000', '#00ff00']

test.each([
  [{ when: 'above', value: 10, color: red }, ['10', '10.000000000000000001', '9'], [null, red, null]],
  [{ when: 'below', value: '9007199254740993', color: red }, ['9007199254740992', '9007199254740993'], [red, null]],
  [{ when: 'between', value: 1, to: 3, color: red }, [0, 1, '3.0', 3.1], [null, red, red, null]],
  [{ when: 'equals', value: 5, color: red }, ['5.00', 5, 'five'], [red, red, null]],
  [{ when: 'contains', value: '7', color: red }, ['1704', '18'], [red, null]],
] as [ColorRule, unknown[], (string | null)[]][])('%j colors %j with %j', (rule, values, colors) => {
  expect(values.map(cellColors(amount, [rule], values))).toEqual(colors)
})

test('compares texts and dates as text', () => {
  const day: Field = { name: 'day', type: 'date' }
  expect(['2025-03-01', '2024-12-31'].map(cellColors(day, [{ when: 'above', value: '2025-01-01', color: red }], []))).toEqual([red, null])
  const status: Field = { name: 'status', type: 'string' }
  expect(['Open', 'open'].map(cellColors(status, [{ when: 'equals', value: 'open', color: red }], []))).toEqual([null, red])
  expect(['Reopened'].map(cellColors(status, [{ when: 'contains', value: 'OPEN', color: red }], []))).toEqual([red])
})

test('spans a scale from the lowest to the highest value', () => {
  const values = ['10', null, 20, 30]
  expect(values.map(cellColors(amount, [{ when: 'scale', from: '#000000', to: '#ffffff' }], values))).toEqual(['#000000', null, '#808080', '#ffffff'])
})

test('uses the first rule that matches', () => {
  const rules: ColorRule[] = [{ when: 'above', value: 10, color: green }, { when: 'above', value: 5, color: red }]
  expect([20, 7, 1].map(cellColors(amount, rules, []))).toEqual([green, red, null])
})
