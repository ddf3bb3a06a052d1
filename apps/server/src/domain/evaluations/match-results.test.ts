import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '../../model/result.ts'
import { type ComparedResult, findDifference } from './match-results.ts'

const rows = (...given: unknown[][]): ComparedResult => ({ fields: null, rows: given })
const typed = (types: Field['type'][], ...given: unknown[][]): ComparedResult => ({
  fields: types.map((type, index) => ({ name: `column ${index}`, type })),
  rows: given,
})
const compare = (expected: ComparedResult, actual: ComparedResult, options: { isOrdered?: boolean; tolerance?: number } = {}) =>
  findDifference(expected, actual, { isOrdered: false, tolerance: 0, ...options })

describe('rows', () => {
  test('are equal in any order, unless the order matters', () => {
    expect(compare(rows(['a', 1], ['b', 2]), rows(['b', 2], ['a', 1]))).toBeUndefined()
    expect(compare(rows(['a', 1], ['b', 2]), rows(['b', 2], ['a', 1]), { isOrdered: true })).toBe(
      'Row 1 differs. Expected ["a",1], got ["b",2].',
    )
    expect(compare(rows(['a', 1], ['b', 2]), rows(['a', 1], ['b', 2]), { isOrdered: true })).toBeUndefined()
  })

  test('must occur equally often', () => {
    expect(compare(rows(['a'], ['a'], ['b']), rows(['a'], ['b'], ['b']))).toBe('A row is missing or differs. Expected ["a"].')
    expect(compare(rows(['a']), rows(['a'], ['a']))).toBe('Expected 1 row, got 2 rows.')
    expect(compare(rows(), rows())).toBeUndefined()
  })

  test('must have the same number of columns; names do not matter', () => {
    const one = { fields: [{ name: 'revenue', type: 'integer' as const }], rows: [[1]] }
    const other = { fields: [{ name: 'sum', type: 'integer' as const }], rows: [[1]] }
    expect(compare(one, other)).toBeUndefined()
    expect(compare(one, typed(['integer', 'string'], [1, 'a']))).toBe('Expected 1 column, got 2 columns.')
    expect(compare(rows(['a', 'b']), rows(['b', 'a']))).toContain('A row is missing or differs.')
    expect(compare(typed(['integer']), typed(['integer', 'integer']))).toContain('columns')
  })
})

describe('values', () => {
  test.each([
    ['an integer and a decimal', typed(['integer'], [5]), typed(['decimal'], ['5.00'])],
    ['a number that a person wrote and a decimal', rows([12.5]), typed(['decimal'], ['12.50'])],
    ['a decimal that a person copied', rows(['12.50']), typed(['decimal'], ['12.5'])],
    ['zeros', typed(['decimal'], ['-0.00']), typed(['integer'], [0])],
    ['integers beyond doubles', typed(['integer'], ['9007199254740993']), typed(['decimal'], ['9007199254740993.0'])],
    ['rounding in floating point', typed(['number'], [0.1 + 0.2]), typed(['number'], [0.3])],
    ['a date and a timestamp at midnight', typed(['date'], ['2025-01-01']), typed(['timestamp'], ['2025-01-01T00:00:00.000Z'])],
    ['nulls', rows([null]), typed(['string'], [null])],
    ['objects with keys in another order', typed(['json'], [{ a: 1, b: [2] }]), typed(['json'], [{ b: [2], a: 1 }])],
  ])('%s are equal', (_, expected, actual) => {
    expect(compare(expected, actual)).toBeUndefined()
    expect(compare(actual, expected)).toBeUndefined()
  })

  test.each([
    ['neighboring integers beyond doubles', typed(['integer'], ['9007199254740993']), typed(['integer'], ['9007199254740992'])],
    ['neighboring large integers', typed(['integer'], [3_000_000_000]), typed(['integer'], [3_000_000_001])],
    ['text in another case', rows(['Germany']), rows(['germany'])],
    ['a number and its text', typed(['string'], ['5']), typed(['string'], [5])],
    ['null and zero', rows([0]), rows([null])],
    ['null and empty text', rows(['']), rows([null])],
    ['a date and a later timestamp', typed(['date'], ['2025-01-01']), typed(['timestamp'], ['2025-01-01T00:00:01.000Z'])],
    ['booleans', rows([true]), rows([false])],
  ])('%s differ', (_, expected, actual) => expect(compare(expected, actual)).toBeDefined())
})

describe('a tolerance', () => {
  test('applies to numbers, including its bound', () => {
    const tolerance = 0.01
    expect(compare(rows([29.12]), rows([29.13]), { tolerance })).toBeUndefined()
    expect(compare(rows([29.12]), rows([29.14]), { tolerance })).toBeDefined()
    expect(compare(typed(['decimal'], ['1.005']), rows([1]), { tolerance })).toBeUndefined()
    expect(compare(rows(['a']), rows(['b']), { tolerance: 100 })).toBeDefined()
  })

  test('pairs rows so that each has a counterpart, even if one equals several', () => {
    // 1.0 equals 1.5 and 0.5, but 2.0 equals only 1.5.
    expect(compare(rows([1], [2]), rows([1.5], [0.5]), { tolerance: 0.5 })).toBeUndefined()
    expect(compare(rows([1], [2]), rows([0.5], [0.6]), { tolerance: 0.5 })).toBeDefined()
  })
})

const cell = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('a', 'b', null, true))
const table = fc.integer({ min: 1, max: 3 }).chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 6 }))

test('every permutation is equal, and no result with one value changed is', () => {
  fc.assert(
    fc.property(table, fc.infiniteStream(fc.nat()), (given, chance) => {
      const shuffled = given.map((row) => ({ row, key: chance.next().value })).toSorted((a, b) => a.key - b.key).map(({ row }) => row)
      expect(compare(rows(...given), rows(...shuffled))).toBeUndefined()
      if (given.length === 0) return
      const changed = shuffled.with(0, ['changed', ...shuffled[0]!.slice(1)])
      expect(compare(rows(...given), rows(...changed))).toBeDefined()
    }),
  )
})
