import { expect, test } from 'vitest'
import type { ParameterDefinition, ParameterType, ParameterValues, SingleValue } from '../../model/parameter.ts'
import { changeableBy, choicesOf, clickFilterOf, valuesForViewer } from './viewer-values.ts'

const definition = (name: string, type: ParameterType, defaultValue: string, given: object = {}): ParameterDefinition => ({
  name,
  displayName: name,
  type,
  defaultValue,
  description: '',
  ...given,
})

const definitions = [
  definition('tenant', 'number', '0'),
  definition('country', 'text', 'DE', { options: { values: [{ value: 'FR', label: 'France' }] } }),
  definition('regions', 'text', '["north"]', { isList: true }),
  definition('year', 'number', ''),
]

const viewer = (parameters: Record<string, SingleValue[] | null>, lockedValues: ParameterValues = {}) => ({
  parameters: Object.entries(parameters).map(([name, values]) => ({ name, values })),
  lockedValues,
})

test('a viewer may choose an allowed value of a public parameter, or its default', () => {
  const rights = viewer({ country: ['FR'], regions: ['south', 'west'] })
  expect(valuesForViewer(definitions, rights, { country: 'FR' })).toEqual({ country: 'FR', regions: ['north'] })
  expect(valuesForViewer(definitions, rights, { country: 'DE' })).toEqual({ country: 'DE', regions: ['north'] })
  expect(valuesForViewer(definitions, rights, { regions: ['west', 'south'] })).toEqual({ country: 'DE', regions: ['west', 'south'] })
})

test('without a default, the first allowed value is shown', () => {
  expect(valuesForViewer(definitions, viewer({ year: [2025, 2026] }), {})).toEqual({ year: 2025 })
})

test.each<[string, ParameterValues]>([
  ['another value', { country: 'US' }],
  ['another value in a list', { regions: ['south', 'east'] }],
  ['an empty name', { '': 'FR' }],
  ['a parameter that is not public', { tenant: 7 }],
  ['a parameter that does not exist', { city: 'Bonn' }],
  ['another spelling of a name', { Country: 'FR' }],
  ['a property of all objects', { ['__proto__']: 'FR', constructor: 'FR' }],
])('rejects %s', (_, given) => {
  const rights = viewer({ country: ['FR'], regions: ['south'] })
  expect(() => valuesForViewer(definitions, rights, given)).toThrow(expect.objectContaining({ code: 'parameter_invalid' }))
})

test('a locked value stays, even if the parameter is also public', () => {
  const rights = viewer({ tenant: [1, 2], country: ['FR'] }, { tenant: 7 })
  expect(valuesForViewer(definitions, rights, { country: 'FR' })).toEqual({ country: 'FR', tenant: 7 })
  for (const value of [1, '1', 7, [1], true]) {
    expect(() => valuesForViewer(definitions, rights, { tenant: value })).toThrow(/"tenant" cannot be changed/)
  }
})

test('a parameter without a list of values accepts any value of its type', () => {
  expect(valuesForViewer(definitions, viewer({ year: null }), { year: '2024' })).toEqual({ year: 2024 })
  expect(() => valuesForViewer(definitions, viewer({ year: null }), { year: 'x' })).toThrow(/does not fit its type/)
})

test('choices start with the default, have labels, and leave out values of an earlier type', () => {
  const [country] = changeableBy(definitions, viewer({ country: ['FR', 'DE', 7] }))
  expect(choicesOf(country!)).toEqual([
    { value: 'DE', label: 'DE' },
    { value: 'FR', label: 'France' },
  ])
})

test('offers the options of a parameter that accepts any value, and otherwise a field', () => {
  const [country, year] = changeableBy(definitions, viewer({ country: null, year: null }))
  expect(choicesOf(country!)?.map(({ label }) => label)).toEqual(['DE', 'France'])
  expect(choicesOf(year!)).toBeNull()
})

test.each<[string, Parameters<typeof clickFilterOf>[0], string | undefined]>([
  ['sets a parameter that may be changed', { filters: { column: 'land', parameter: 'country' } }, 'country'],
  ['sets a locked parameter', { filters: { column: 'id', parameter: 'tenant' } }, undefined],
  ['sets a locked parameter that is also public', { filters: { column: 'year', parameter: 'year' } }, undefined],
  ['sets a parameter that is not public', { filters: { column: 'region', parameter: 'regions' } }, undefined],
  ['sets another spelling of a public parameter', { filters: { column: 'land', parameter: 'Country' } }, undefined],
  ['opens the same board', { opens: { boardShortId: 'viewed', column: 'land', parameter: 'country' } }, 'country'],
  ['opens the same board with a locked parameter', { opens: { boardShortId: 'viewed', column: 'id', parameter: 'tenant' } }, undefined],
  ['opens another board', { opens: { boardShortId: 'other', column: 'land', parameter: 'country' } }, undefined],
  ['does nothing', {}, undefined],
])('a click that %s', (_, tile, parameter) => {
  const rights = { ...viewer({ country: ['FR'], year: null }, { tenant: 7, year: 2026 }), kind: 'board' as const, shortId: 'viewed' }
  expect(clickFilterOf(tile, definitions, rights)?.parameter).toBe(parameter)
})
