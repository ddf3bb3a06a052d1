import { expect, test } from 'vitest'
import { addressOf, filtersIn, isFiltered } from './filters.ts'

const none = { search: '', database: '', isMine: false }

test('the plain list has the plain address', () => {
  expect(filtersIn('')).toEqual(none)
  expect(addressOf(none)).toBe('/')
  expect(addressOf({ ...none, search: '  ' })).toBe('/')
  expect(isFiltered({ ...none, search: '  ' })).toBe(false)
})

test.each([
  { search: 'a & b=c', database: '', isMine: false },
  { search: '', database: 'db_1', isMine: true },
  { search: 'Größe ', database: 'db_1', isMine: false },
])('what is in the address comes back: %o', (filters) => {
  const address = addressOf(filters)
  expect(filtersIn(address.slice(1))).toEqual(filters)
  expect(isFiltered(filters)).toBe(true)
})

test('what the address says beside that is passed over', () => {
  expect(filtersIn('?createdBy=you&page=2')).toEqual(none)
})
