import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compare, type Decimal, decimalText, isAlmostEqual, makeSum, percentChange, percentOf, readDecimal, subtract } from './decimal.ts'

const decimal = (text: string): Decimal => readDecimal(text)!

function sumOf(values: unknown[]): string | null {
  const sum = makeSum()
  for (const value of values) sum.add(value)
  const total = sum.total()
  return total && decimalText(total)
}

test.each([
  [0.1, '0.1'],
  [-0, '0'],
  [1e21, '1000000000000000000000'],
  [1.5e-7, '0.00000015'],
  ['170141183460469231731687303715884105727', '170141183460469231731687303715884105727'],
  ['-12.3400', '-12.34'],
  ['0.00', '0'],
])('%s is read as %s', (value, text) => {
  expect(decimalText(readDecimal(value)!)).toBe(text)
})

test.each([['NaN'], ['Infinity'], [NaN], [Infinity], [''], ['12 apples'], ['1,000'], ['0x10'], [null], [true], [[1]], ['1e9999'], ['9'.repeat(500)]])(
  '%s is not a number',
  (value) => {
    expect(readDecimal(value)).toBeUndefined()
  },
)

test('sums are exact in any order', () => {
  const cents = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n })
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1 }), (amounts) => {
      const total = amounts.reduce((sum, amount) => sum + amount, 0n)
      const texts = amounts.map((amount) => decimalText({ units: amount, scale: 2 }))
      expect(sumOf(texts)).toBe(decimalText({ units: total, scale: 2 }))
      expect(sumOf(texts.toReversed())).toBe(sumOf(texts))
    }),
    { seed: 1 },
  )
})

test('sums of integers do not lose digits where floating-point numbers would', () => {
  const large = Number.MAX_SAFE_INTEGER
  expect(sumOf([large, large, 1, '9007199254740993', -large])).toBe(String(BigInt(large) + 1n + 9007199254740993n))
  fc.assert(
    fc.property(fc.array(fc.maxSafeInteger(), { minLength: 1 }), (integers) => {
      expect(sumOf(integers)).toBe(String(integers.reduce((sum, integer) => sum + BigInt(integer), 0n)))
    }),
    { seed: 2 },
  )
})

test('adds floating-point numbers by their decimal notation, and ignores values that are not numbers', () => {
  expect(sumOf([0.1, 0.2])).toBe('0.3')
  expect(sumOf([1e20, 0.1, -1e20])).toBe('0.1')
  expect(sumOf([null, 'NaN', 2, undefined])).toBe('2')
  expect(sumOf([null, 'NaN'])).toBeNull()
})

test.each([
  ['200', '230', '15'],
  ['200', '199.9', '-0.1'],
  ['3', '4', '33.3'],
  ['-100', '-50', '50'],
  ['80', '0', '-100'],
  ['2000', '2001', '0.1'],
  ['2001', '2002', '0'],
  ['5', '5', '0'],
  ['0.000000000000000001', '0.000000000000000002', '100'],
  ['100000000000000000000', '100000000000000000001', '0'],
])('from %s to %s is %s percent', (from, to, percent) => {
  expect(decimalText(percentChange(decimal(from), decimal(to))!)).toBe(percent)
})

test.each([
  ['0', '5'],
  ['0', '0'],
  ['-3', '4'],
  ['3', '-4'],
])('from %s to %s has no percentage', (from, to) => {
  expect(percentChange(decimal(from), decimal(to))).toBeNull()
})

test('percentages are rounded once, halves away from zero', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 0, max: 1e6 }), (from, to) => {
      const exact = (1000 * (to - from)) / from
      const rounded = Number(decimalText(percentChange(decimal(String(from)), decimal(String(to)))!)) * 10
      expect(Math.abs(rounded - exact)).toBeLessThanOrEqual(0.5 + 1e-6)
    }),
    { seed: 3 },
  )
  expect(decimalText(percentChange(decimal('2000'), decimal('2003'))!)).toBe('0.2')
  expect(decimalText(percentChange(decimal('2000'), decimal('1997'))!)).toBe('-0.2')
})

test.each([
  ['100', '100.99', true],
  ['100', '101', false],
  ['-100', '-99.01', true],
  ['-100', '-99', false],
  ['0', '0', true],
  ['0', '0.0001', false],
])('from %s to %s is below one percent: %s', (from, to, isAlmost) => {
  expect(isAlmostEqual(decimal(from), decimal(to))).toBe(isAlmost)
})

test('parts of a whole', () => {
  expect(decimalText(percentOf(decimal('1'), decimal('3'))!)).toBe('33.3')
  expect(percentOf(decimal('-1'), decimal('3'))).toBeNull()
  expect(percentOf(decimal('1'), decimal('0'))).toBeNull()
})

test('comparing and subtracting agree with integers', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), fc.nat(6), fc.nat(6), (a, b, one, other) => {
      const [left, right] = [{ units: a, scale: one }, { units: b, scale: other }]
      const [leftUnits, rightUnits] = [a * 10n ** BigInt(6 - one), b * 10n ** BigInt(6 - other)]
      expect(compare(left, right)).toBe(leftUnits < rightUnits ? -1 : leftUnits > rightUnits ? 1 : 0)
      expect(decimalText(subtract(left, right))).toBe(decimalText({ units: leftUnits - rightUnits, scale: 6 }))
    }),
    { seed: 4 },
  )
})
