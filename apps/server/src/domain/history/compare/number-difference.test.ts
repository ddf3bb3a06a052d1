import fc from 'fast-check'
import { expect, test } from 'vitest'
import { numberDifference } from './number-difference.ts'

test.each([
  ['1', '3', '2'],
  ['"0.10"', '"0.3"', '0.2'],
  ['"9223372036854775807"', '"-9223372036854775808"', '-18446744073709551615'],
  ['"123456789012345678901234567890.01"', '"123456789012345678901234567890.02"', '0.01'],
  ['1.5e3', '1e-2', '-1499.99'],
  ['0.1', '0.3', '0.2'],
  ['5', '5.0', '0'],
])('%s → %s: %s', (before, after, difference) => expect(numberDifference(before, after)).toBe(difference))

test.each([
  ['null', '1'],
  ['1', '"NaN"'],
  ['"-Infinity"', '1'],
  ['"text"', '1'],
])('%s → %s has none', (before, after) => expect(numberDifference(before, after)).toBeUndefined())

test('added to the number before, it gives the number after', () => {
  const number = fc.tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat(12))
  const written = ([digits, scale]: [bigint, number]) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
    return (digits < 0n ? '-' : '') + (scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`)
  }
  const exact = (text: string) => BigInt(text.replace('.', '')) * 10n ** BigInt(20 - (text.split('.')[1]?.length ?? 0))
  fc.assert(
    fc.property(number, number, (one, other) => {
      const [before, after] = [written(one), written(other)]
      expect(exact(before) + exact(numberDifference(before, after)!)).toBe(exact(after))
    }),
  )
})
