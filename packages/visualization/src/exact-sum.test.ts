import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeExactSum, padDecimals, writtenDecimals } from './exact-sum.ts'

function sumOf(values: readonly unknown[]) {
  const sum = makeExactSum()
  for (const value of values) sum.add(value)
  return sum.result()
}

test.each([
  [[], null],
  [[null, 'x', 'NaN'], null],
  [['0.10', '0.20'], '0.30'],
  [[0.1, 0.2], '0.3'],
  [[64.01, 64.01000000000002], '128.02000000000002'],
  [['0.001', 5, '9999999999999.99', '9999999999999.99'], '20000000000004.981'],
  [[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER], '18014398509481982'],
  [['-0.5', '0.5'], '0.0'],
])('%j add up to %j', (values, total) => {
  expect(sumOf(values)).toBe(total)
})

test('adds numbers of any length and scale exactly', () => {
  const numbers = fc.tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.integer({ min: 0, max: 4 }))
  fc.assert(
    fc.property(fc.array(numbers, { minLength: 1 }), (given) => {
      const texts = given.map(([units, scale]) => inUnits(units, scale))
      const scale = Math.max(...given.map(([, each]) => each))
      const sum = given.reduce((total, [units, each]) => total + units * 10n ** BigInt(scale - each), 0n)
      expect(sumOf(texts)).toBe(inUnits(sum, scale))
    }),
  )
})

test('can go on after a result', () => {
  const sum = makeExactSum()
  sum.add('1.50')
  expect(sum.result()).toBe('1.50')
  sum.add(2)
  expect(sum.result()).toBe('3.50')
})

test('counts and pads decimals', () => {
  expect(['1.50', '7', '-0.125', '1e-7', '1.'].map(writtenDecimals)).toEqual([2, 0, 3, 0, 0])
  expect([padDecimals('7', 2), padDecimals('1.5', 2), padDecimals('1.55', 1)]).toEqual(['7.00', '1.50', '1.55'])
})

function inUnits(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0')
  const sign = units < 0n ? '-' : ''
  return scale === 0 ? sign + digits : `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
