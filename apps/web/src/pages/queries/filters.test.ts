import { expect, test } from 'vitest'
import { addressOf, filtersIn, isFiltered } from './filters.ts'

const none = { search: '', database: '', isMine: false }

test('uses the plain URL without filters', () => {
  expect(filtersIn('')).toEqual(none)
  expect(addressOf(none)).toBe('/queries')
  expect(addressOf({ ...none, search: '  ' })).toBe('/queries')
  expect(isFiltered({ ...none, search: '  ' })).toBe(false)
})

test.each([
  { search: 'a & b=c', database: '', isMine: false },
  { search: '', database: 'db_1', isMine: true },
  { search: 'Größe ', database: 'db_1', isMine: false },
])('round-trips filters through the URL: %o', (filters) => {
  const address = addressOf(filters)
  expect(filtersIn(new URL(address, 'https://querypost.test').search)).toEqual(filters)
  expect(isFiltered(filters)).toBe(true)
})

test('ignores other query parameters', () => {
  expect(filtersIn('?createdBy=you&page=2')).toEqual(none)
})
