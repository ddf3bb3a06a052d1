import { expect, test } from 'vitest'
import type { Tile } from './board-content.ts'
import { activeFilters, valueAt, withFilter, withoutFilter } from './cross-filter.ts'

const country = { name: 'country', displayName: 'Country', type: 'text' as const, defaultValue: '', description: '' }
const countries = { ...country, name: 'countries', displayName: 'Countries', defaultValue: '["France"]', isList: true }
const parameters = [country, countries]
const mark = { fields: [{ name: 'country' }, { name: 'revenue' }], row: ['Germany', 12.5] }
const filtering = (parameter: string): Tile => ({ id: 'a', kind: 'reference', x: 0, y: 0, width: 6, height: 4, filters: { column: 'country', parameter } })

test('reads the value of a column behind a mark', () => {
  expect([valueAt(mark, 'country'), valueAt(mark, 'revenue'), valueAt(mark, 'city')]).toEqual(['Germany', '12.5', undefined])
  expect(valueAt({ ...mark, row: [null, {}] }, 'country')).toBeUndefined()
})

test('a click sets the parameter, and a second click removes it', () => {
  const filters = { column: 'country', parameter: 'country' }
  const set = withFilter({ parameters, values: { country: '' }, filters, mark })!
  expect(set).toEqual({ country: 'Germany' })
  expect(withFilter({ parameters, values: set, filters, mark })).toEqual({ country: '' })
})

test('a click sets a list to the one value', () => {
  const filters = { column: 'country', parameter: 'countries' }
  const set = withFilter({ parameters, values: { countries: ['France', 'Italy'] }, filters, mark })!
  expect(set).toEqual({ countries: ['Germany'] })
  expect(withFilter({ parameters, values: set, filters, mark })).toEqual({ countries: ['France'] })
})

test('a click without a value, or for a removed parameter, does nothing', () => {
  expect(withFilter({ parameters, values: {}, filters: { column: 'city', parameter: 'country' }, mark })).toBeUndefined()
  expect(withFilter({ parameters, values: {}, filters: { column: 'country', parameter: 'gone' }, mark })).toBeUndefined()
})

test('lists the filters that differ from the default, and removes them', () => {
  const tiles = [filtering('country'), filtering('countries')]
  const values = { country: 'Germany', countries: ['France'] }
  expect(activeFilters(tiles, parameters, values)).toEqual([{ parameter: 'country', text: 'Country: Germany' }])
  expect(activeFilters([], parameters, values)).toEqual([])
  expect(activeFilters(tiles, parameters, { ...values, countries: [] }).at(-1)).toEqual({ parameter: 'countries', text: 'Countries: –' })
  expect(withoutFilter(parameters, { countries: ['Italy'] }, 'countries')).toEqual({ countries: ['France'] })
})
