import { expect, test } from 'vitest'
import type { SharedParameter } from '../api/generated/schemas.ts'
import { clickedFilters, stillChangeable, withClick } from './click-filter.ts'

const parameter = (name: string, given: Partial<SharedParameter> = {}): SharedParameter => ({
  name,
  displayName: '',
  description: '',
  type: 'text',
  isList: false,
  value: null,
  choices: null,
  ...given,
})
const choices = [{ value: 'DE', label: 'Germany' }, { value: 'FR', label: 'France' }]
const parameters = [parameter('country', { displayName: 'Country', value: 'DE', choices }), parameter('regions', { isList: true }), parameter('year', { type: 'number' })]
const mark = { fields: [{ name: 'land' }, { name: 'region' }, { name: 'year' }, { name: 'empty' }], row: ['FR', 'north', 2026, null] }
const click = (parameterName: string, column: string, values = {}) =>
  withClick({ parameters, values, filters: { parameter: parameterName, column }, mark })

test('a click sets the parameter, and a second click removes it', () => {
  expect(click('country', 'land', { year: 1 })).toEqual({ year: 1, country: 'FR' })
  expect(click('country', 'land', { year: 1, country: 'FR' })).toEqual({ year: 1 })
  expect(click('regions', 'region')).toEqual({ regions: ['north'] })
  expect(click('regions', 'region', { regions: ['north'] })).toEqual({})
  expect(click('regions', 'region', { regions: ['north', 'south'] })).toEqual({ regions: ['north'] })
  expect(click('year', 'year')).toEqual({ year: '2026' })
})

test.each([
  ['a value that is not a choice', 'country', 'region'],
  ['an empty cell', 'year', 'empty'],
  ['a column that is gone', 'year', 'month'],
  ['a parameter that may not be changed', 'tenant', 'land'],
])('a click on %s does nothing', (_, name, column) => {
  expect(click(name, column)).toBeUndefined()
})

test('lists filters that differ from the initial value', () => {
  const tiles = [{ filters: { column: 'land', parameter: 'country' } }, { filters: { column: 'region', parameter: 'regions' } }, {}]
  expect(clickedFilters(tiles, parameters, { country: 'FR', regions: ['north', 'south'], year: 2026 })).toEqual([
    { parameter: 'country', text: 'Country: France' },
    { parameter: 'regions', text: 'regions: north, south' },
  ])
  expect(clickedFilters(tiles, parameters, { country: 'DE' })).toEqual([])
})

test('drops values that a new token does not allow, and keeps the object otherwise', () => {
  const values = { country: 'FR', year: 2026 }
  expect(stillChangeable(values, parameters)).toBe(values)
  expect(stillChangeable(values, parameters.slice(0, 1))).toEqual({ country: 'FR' })
})
