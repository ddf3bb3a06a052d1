import { describe, expect, test } from 'vitest'
import type { ParameterDefinition } from '../api/references.ts'
import { isRunWith, readValues, searchOf, valuesToSend } from './values.ts'

const define = (name: string, type: ParameterDefinition['type'], defaultValue: string): ParameterDefinition => ({
  name,
  displayName: name,
  type,
  defaultValue,
  description: '',
})
const parameters = [
  define('country', 'text', 'All'),
  define('rows', 'number', '50'),
  define('since', 'date', ''),
  define('at', 'timestamp', ''),
  define('all', 'boolean', 'false'),
]
const defaults = { country: 'All', rows: '50', since: '', at: '', all: 'false' }

describe('the URL', () => {
  test('contains only values that differ from the defaults', () => {
    expect(readValues(parameters, '')).toEqual(defaults)
    expect(searchOf(parameters, defaults)).toBe('')
    const values = { ...defaults, country: 'Côte d’Ivoire & more', rows: '5' }
    expect(searchOf(parameters, values)).toBe('?country=C%C3%B4te+d%E2%80%99Ivoire+%26+more&rows=5')
  })

  test('round-trips values, including empty text', () => {
    const values = { country: '', rows: '1e3', since: '2025-01-31', at: '2025-01-31T09:30', all: 'true' }
    expect(readValues(parameters, searchOf(parameters, values))).toEqual(values)
  })

  test('ignores names that are not parameters', () => {
    expect(readValues(parameters, '?other=1&__proto__=2')).toEqual(defaults)
  })
})

describe('lists and date ranges', () => {
  const lists = [
    { ...define('countries', 'text', '["DE"]'), isList: true },
    { ...define('sizes', 'number', ''), isList: true },
    define('period', 'dateRange', 'last 30 days'),
  ]
  const usual = { countries: ['DE'], sizes: [], period: 'last 30 days' }

  test('start with their defaults', () => {
    expect(readValues(lists, '')).toEqual(usual)
    expect(searchOf(lists, usual)).toBe('')
    expect(readValues([{ ...define('broken', 'text', '{'), isList: true }], '')).toEqual({ broken: [] })
  })

  test.each([
    [{ ...usual, countries: ['FR', 'a,b & c', ''] }, '?countries=FR&countries=a%2Cb+%26+c&countries='],
    [{ ...usual, countries: [] }, '?countries='],
    [{ ...usual, sizes: ['1'], period: '2026-01-01..2026-03-31' }, '?sizes=1&period=2026-01-01..2026-03-31'],
  ])('round-trip through the URL: %j', (values, search) => {
    expect(searchOf(lists, values)).toBe(search)
    expect(readValues(lists, search)).toEqual(values)
  })

  test('an empty list is sent only if it has a default', () => {
    expect(valuesToSend(lists, { ...usual, countries: [] })).toEqual({ countries: [], period: 'last 30 days' })
    expect(valuesToSend(lists, { ...usual, sizes: ['1'] })).toEqual({ countries: ['DE'], sizes: ['1'], period: 'last 30 days' })
  })

  test('match a run with the same elements in any order', () => {
    const run = { parameterValues: { countries: ['DE', 'FR'], sizes: [1, 2.5], period: 'last 30 days' } }
    const values = { countries: ['FR', 'DE'], sizes: ['2.50', '1'], period: 'Last  30 days' }
    expect(isRunWith(run, lists, values)).toBe(true)
    for (const other of [{ countries: ['FR'] }, { countries: ['FR', 'DE', 'IT'] }, { sizes: [] }, { period: 'last 31 days' }, { period: '' }]) {
      expect(isRunWith(run, lists, { ...values, ...other })).toBe(false)
    }
  })
})

test('omits missing values and sends cleared ones', () => {
  expect(valuesToSend(parameters, defaults)).toEqual({ country: 'All', rows: '50', all: 'false' })
  expect(valuesToSend(parameters, { ...defaults, country: '', rows: '' })).toEqual({ country: '', rows: '', all: 'false' })
})

describe('isRunWith', () => {
  const run = { parameterValues: { country: 'All', rows: 50, at: '2025-01-31T09:30:00Z', all: false } }

  test.each([
    {},
    { rows: '50.0' },
    { rows: ' 5e1' },
    { at: '2025-01-31T09:30:00' },
    { at: '2025-01-31T10:30+01:00' },
    { all: 'FALSE' },
    { since: '2025-01-01' },
  ])('matches with %j', (difference) => {
    expect(isRunWith(run, parameters, { ...defaults, at: '2025-01-31T09:30', ...difference })).toBe(true)
  })

  test.each([{ country: 'all' }, { country: 'All ' }, { rows: '51' }, { rows: '' }, { at: '' }, { at: '2025-01-31T09:31' }, { all: 'true' }])(
    'does not match with %j',
    (difference) => {
      expect(isRunWith(run, parameters, { ...defaults, at: '2025-01-31T09:30', ...difference })).toBe(false)
    },
  )
})
