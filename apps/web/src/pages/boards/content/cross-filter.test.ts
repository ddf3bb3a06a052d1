import { expect, test } from 'vitest'
import type { ParameterDefinition } from '../../../api/references.ts'
import type { Tile } from './board-content.ts'
import { activeFilters, withFilter, withoutFilter } from './cross-filter.ts'
import { canGive } from './parameter-types.ts'

const define = (name: string, changes: Partial<ParameterDefinition> = {}): ParameterDefinition => ({
  name, displayName: name, type: 'text', defaultValue: '', description: '', ...changes,
})
const parameters = [define('country', { defaultValue: 'All' }), define('countries', { isList: true, defaultValue: '["DE"]' })]
const defaults = { country: 'All', countries: ['DE'] }
const mark = { fields: [{ name: 'land' }], row: ['FR'] }
const click = (parameter: string, values: Record<string, string | string[]>) =>
  withFilter({ parameters, values, filters: { column: 'land', parameter }, mark })

test('a click filters by the category, and a second one removes the filter', () => {
  expect(click('country', defaults)).toEqual({ ...defaults, country: 'FR' })
  expect(click('country', { ...defaults, country: 'FR' })).toEqual(defaults)
})

test('a click on a category is the only element of a list', () => {
  expect(click('countries', defaults)).toEqual({ ...defaults, countries: ['FR'] })
  expect(click('countries', { ...defaults, countries: ['FR'] })).toEqual(defaults)
  expect(withoutFilter(parameters, { ...defaults, countries: ['FR'] }, 'countries')).toEqual(defaults)
})

test('lists the filters that differ from the defaults', () => {
  const tile = (parameter: string) => ({ filters: { column: 'land', parameter } }) as Tile
  const tiles = [tile('country'), tile('countries')]
  expect(activeFilters(tiles, parameters, defaults)).toEqual([])
  expect(activeFilters(tiles, parameters, { country: 'All', countries: ['FR', 'IT'] })).toEqual([
    { parameter: 'countries', text: 'countries: FR, IT' },
  ])
})

test('a list gives its value only to a list, and a date range only to a date range', () => {
  const [single, list, range] = [define('a'), define('b', { isList: true }), define('c', { type: 'dateRange' })]
  expect([canGive(single, list), canGive(list, list), canGive(list, single)]).toEqual([true, true, false])
  expect([canGive(range, range), canGive(range, single), canGive(single, range)]).toEqual([true, false, false])
  expect([canGive(define('n', { type: 'number' }), single), canGive(single, define('n', { type: 'number' }))]).toEqual([true, false])
})
