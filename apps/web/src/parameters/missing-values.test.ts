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

test('a list is missing only without a default, and a date range like a date', () => {
  const list = { ...define('list', 'text'), isList: true }
  const usual = { ...define('usual', 'text', '["a"]'), isList: true }
  const parameters = [list, usual, define('period', 'dateRange')]
  expect(missingValues(parameters, { list: [], usual: [], period: '' })).toEqual({
    list: 'Choose a value for “LIST”.',
    period: 'Choose a value for “PERIOD”.',
  })
  expect(missingValues(parameters, { list: ['x'], period: 'today' })).toEqual({})
})
