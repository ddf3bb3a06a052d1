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
