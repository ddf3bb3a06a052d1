import { expect, test } from 'vitest'
import { addressOf, filtersIn, isFiltered, noFilters as none } from './filters.ts'

test('uses the plain URL without filters', () => {
  expect(filtersIn({ pathname: '/queries', search: '' })).toEqual(none)
  expect(addressOf(none)).toBe('/queries')
  expect(addressOf({ ...none, search: '  ' })).toBe('/queries')
  expect(isFiltered({ ...none, search: '  ' })).toBe(false)
})

test.each([
  { ...none, search: 'a & b=c' },
  { ...none, database: 'db_1', isMine: true },
  { ...none, search: 'Größe ', database: 'db_1' },
  { ...none, folder: 'none' },
  { ...none, folder: 'folder_1', tag: 'Fixed costs' },
  { ...none, isFavorite: true },
])('round-trips filters through the URL: %o', (filters) => {
  const address = addressOf(filters)
  expect(filtersIn(new URL(address, 'https://querypost.test'))).toEqual(filters)
  expect(isFiltered(filters)).toBe(true)
})

test('a folder has a page, and earlier links to it still work', () => {
  expect(addressOf({ ...none, folder: 'folder_1', search: 'x' })).toBe('/folders/folder_1?search=x')
  expect(filtersIn({ pathname: '/queries', search: '?folder=folder_1' })).toEqual({ ...none, folder: 'folder_1' })
})

test('ignores other query parameters', () => {
  expect(filtersIn({ pathname: '/queries', search: '?createdBy=you&page=2' })).toEqual(none)
})
