import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { comparisons } from '../../../model/automation.ts'
import { compares } from './compare-numbers.ts'

describe('values of results', () => {
  test.each<[unknown, string, number, boolean]>([
    [3, '>', 2, true],
    [3, '>', 3, false],
    [3, '>=', 3, true],
    [3, '<', 3.5, true],
    [3, '<=', 2.999, false],
    [3, '=', 3, true],
    [3, '!=', 3, false],
    [-0, '=', 0, true],
    // Decimals and integers beyond 2^53 are strings.
    ['3.00', '=', 3, true],
    ['0.10', '=', 0.1, true],
    ['0.1000000000000000001', '>', 0.1, true],
    ['-12.5', '<', -12.4, true],
    ['9007199254740993', '>', 9007199254740992, true],
    ['170141183460469231731687303715884105727', '>', 1e38, true],
    ['99999999999999999999999999999999999999', '<', 1e38, true],
    [1e21, '=', 1e21, true],
    [1.5e-7, '<', 1e-6, true],
    ['Infinity', '>', Number.MAX_VALUE, true],
    ['-Infinity', '<', -Number.MAX_VALUE, true],
    ['Infinity', '=', 1, false],
  ])('%s %s %s is %s', (value, comparison, number, expected) => {
    expect(compares(value, comparison as '>', number)).toBe(expected)
  })

  test.each([null, undefined, 'NaN', '', 'abc', '1,5', '0x10', '1e99999', ' 1', true, [], {}])(
    '%j is not a number and never matches',
    (value) => {
      for (const comparison of comparisons) expect(compares(value, comparison, 0)).toBe(false)
    },
  )

  test('compare like JavaScript numbers wherever those are exact', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(
      fc.property(number, fc.oneof(number, fc.integer()), (value, other) => {
        expect(compares(value, '>', other)).toBe(value > other)
        expect(compares(value, '<', other)).toBe(value < other)
        expect(compares(value, '=', other)).toBe(value === other)
        expect(compares(value, '!=', other)).toBe(value !== other)
        expect(compares(value, '>=', other)).toBe(value >= other)
        expect(compares(value, '<=', other)).toBe(value <= other)
      }),
      { seed: 4, numRuns: 2000 },
    )
  })

  test('decimals of any length compare by all their digits', () => {
    const scaled = fc.record({ unscaled: fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), scale: fc.integer({ min: 0, max: 30 }) })
    fc.assert(
      fc.property(scaled, fc.integer({ min: -1000, max: 1000 }), ({ unscaled, scale }, other) => {
        const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
        const whole = digits.slice(0, digits.length - scale)
        const text = `${unscaled < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`}`
        expect(compares(text, '>', other)).toBe(unscaled > BigInt(other) * 10n ** BigInt(scale))
        expect(compares(text, '=', other)).toBe(unscaled === BigInt(other) * 10n ** BigInt(scale))
      }),
      { seed: 4, numRuns: 1000 },
    )
  })
})
