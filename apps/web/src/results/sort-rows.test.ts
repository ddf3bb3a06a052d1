import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Field } from '../api/first-rows.ts'
import { sortRows } from './sort-rows.ts'

function sorted(type: Field['type'], values: unknown[], isDescending = false): unknown[] {
  const order = sortRows(values.map((value) => [value]), [{ name: 'v', type }], [{ fieldIndex: 0, isDescending }])!
  return [...order].map((at) => values[at])
}

describe('sorts each type by its meaning', () => {
  test.each([
    ['integer', [-9, 0, 10, 9007199254740991, '9007199254740992', '9007199254740993', '18446744073709551616']],
    ['decimal', ['-10.5', '-9', '-0.10', '0', '0.09', '0.1', '2', '10', '123456789012345678.10', '123456789012345678.11']],
    ['number', ['-Infinity', -1.5, 0, 2, 10, 'Infinity', 'NaN']],
    ['boolean', [false, true]],
    ['date', ['-0044-03-15', '0001-01-01', '2025-01-31', '2025-02-01', '10000-01-01']],
    ['timestamp', ['-infinity', '2025-01-31T09:30:00Z', '2025-01-31T09:30:00.5Z', '2025-01-31T09:30:01Z', 'infinity']],
    ['string', ['', 'a', 'B', 'c', 'item 10', 'item 2', 'Zoë']],
    ['json', [{ a: 1 }, { a: 2 }, { b: 1 }]],
  ] as [Field['type'], unknown[]][])('%s', (type, values) => {
    expect(sorted(type, values.toReversed())).toEqual(values)
    expect(sorted(type, values, true)).toEqual(values.toReversed())
  })
})

test('sorts nulls last in both directions', () => {
  expect(sorted('integer', [null, 2, null, 1])).toEqual([1, 2, null, null])
  expect(sorted('integer', [null, 2, null, 1], true)).toEqual([2, 1, null, null])
})

test('keeps the order of equal rows and breaks ties by the next column', () => {
  const rows = [['b', 1], ['a', 2], ['b', 3], ['a', 4]]
  const fields: Field[] = [{ name: 'x', type: 'string' }, { name: 'y', type: 'integer' }]
  expect([...sortRows(rows, fields, [{ fieldIndex: 0, isDescending: true }])!]).toEqual([0, 2, 1, 3])
  const byBoth = [{ fieldIndex: 0, isDescending: false }, { fieldIndex: 1, isDescending: true }]
  expect([...sortRows(rows, fields, byBoth)!]).toEqual([3, 1, 2, 0])
  expect(sortRows(rows, fields, [])).toBeNull()
})

test('sorts decimals of any length by their exact values', () => {
  // Integers of a common scale compare without rounding.
  const decimal = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 6 }))
  const write = ([digits, scale]: [bigint, number]) => {
    const sign = digits < 0n ? '-' : ''
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
    return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`
  }
  const exact = ([digits, scale]: [bigint, number]) => digits * 10n ** BigInt(6 - scale)
  fc.assert(
    fc.property(fc.array(decimal, { maxLength: 30 }), (all) => {
      const inOrder = all.toSorted((a, b) => (exact(a) < exact(b) ? -1 : exact(a) > exact(b) ? 1 : 0)).map(write)
      expect(sorted('decimal', all.map(write))).toEqual(inOrder)
    }),
    { seed: 11, numRuns: 300 },
  )
})
