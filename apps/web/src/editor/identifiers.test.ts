import { expect, test } from 'vitest'
import { quoteName, quoteTable } from './identifiers.ts'

test.each([
  ['orders', 'orders'],
  ['order_2', 'order_2'],
  ['Orders', '"Orders"'],
  ['2024', '"2024"'],
  ['a b', '"a b"'],
  ['say "hi"', '"say ""hi"""'],
  ['order', '"order"'],
  ['größe', '"größe"'],
])('%s is written as %s', (name, written) => {
  expect(quoteName(name)).toBe(written)
})

test('a table is named with its schema where that does not go without saying', () => {
  expect(quoteTable({ schema: 'main', name: 'orders' }, 'main')).toBe('orders')
  expect(quoteTable({ schema: 'Old data', name: 'orders' }, 'main')).toBe('"Old data".orders')
})
