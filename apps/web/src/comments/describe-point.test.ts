import { expect, test } from 'vitest'
import { dayOf, nameOfPoint } from './describe-point.ts'

test('names a value by its row and column', () => {
  const keys = [{ column: 'Month', value: 'Mar 2026' }, { column: 'Note', value: '' }, { column: 'Country', value: 'Germany' }]
  expect(nameOfPoint({ keys, column: 'Revenue', value: '1,234' })).toBe('Mar 2026, Germany · Revenue')
  expect(nameOfPoint({ keys: [], column: 'Revenue', value: '1,234' })).toBe('Revenue')
})

test('says the year of a day only if it is not this one', () => {
  const now = new Date(2026, 10, 16)
  expect(dayOf(new Date(2026, 2, 3), now, 'en-GB')).toBe('3 Mar')
  expect(dayOf(new Date(2025, 2, 3), now, 'en-GB')).toBe('3 Mar 2025')
})
