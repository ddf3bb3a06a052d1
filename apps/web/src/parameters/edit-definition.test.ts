import { expect, test } from 'vitest'
import type { ParameterDefinition } from '../api/references.ts'
import { defaultText, linesOf, readShortId, valuesOfLines, withList, withOptionsKind, withType } from './edit-definition.ts'

const definition: ParameterDefinition = { name: 'country', displayName: 'Country', type: 'text', defaultValue: 'DE', description: '' }

test('a list starts with the single default, and a single value without one', () => {
  const list = withList(definition, true)
  expect(list).toEqual({ ...definition, isList: true, defaultValue: '["DE"]' })
  expect(withList(list, false)).toEqual({ ...definition, defaultValue: '' })
  expect(withList({ ...definition, defaultValue: '' }, true).defaultValue).toBe('')
  expect([defaultText([]), defaultText(['a', 'b']), defaultText('x')]).toEqual(['', '["a","b"]', 'x'])
})

test('a date range has neither a list nor options', () => {
  const list = { ...withList(definition, true), options: { values: [] } }
  expect(withType(list, 'dateRange')).toEqual({ ...definition, type: 'dateRange', defaultValue: '' })
  expect(withType(list, 'number')).toEqual({ ...list, type: 'number' })
})

test('options are read from lines, and written back', () => {
  const values = [{ value: 'DE', label: 'Germany' }, { value: 'FR' }, { value: 'a', label: 'b = c' }]
  const text = 'DE = Germany\nFR\na = b = c'
  expect(valuesOfLines(`\n ${text}\n\n`)).toEqual(values)
  expect(linesOf({ values })).toBe(text)
  expect(withOptionsKind(withOptionsKind(definition, 'values'), 'none')).toEqual(definition)
})

test('takes the short id from a permalink', () => {
  expect(readShortId('https://data.example/q/k7Rm2QwXn4?country=DE')).toBe('k7Rm2QwXn4')
  expect(readShortId(' k7Rm2QwXn4 ')).toBe('k7Rm2QwXn4')
})
