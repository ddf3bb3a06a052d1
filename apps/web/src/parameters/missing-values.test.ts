import { expect, test } from 'vitest'
import type { ParameterDefinition } from '../api/references.ts'
import { missingValues } from './missing-values.ts'

const define = (name: string, type: ParameterDefinition['type'], defaultValue = ''): ParameterDefinition => ({
  name,
  displayName: name.toUpperCase(),
  type,
  defaultValue,
  description: '',
})

test('names every parameter without a value', () => {
  const parameters = [define('rows', 'number'), define('since', 'date'), define('all', 'boolean', 'true'), define('word', 'text')]
  expect(missingValues(parameters, { rows: ' ', since: '', all: 'true', word: '' })).toEqual({
    rows: 'Enter a value for “ROWS”.',
    since: 'Enter a value for “SINCE”.',
  })
  expect(missingValues(parameters, { rows: '1', since: '2025-01-01', all: '', word: '' })).toHaveProperty('all')
  expect(missingValues(parameters, { rows: '1', since: '2025-01-01' })).toEqual({})
})
