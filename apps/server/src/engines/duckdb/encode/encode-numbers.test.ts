import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonBytes } from '../../json-bytes.ts'
import { writeBigInteger, writeDouble } from './encode-numbers.ts'

function written<T>(write: (out: ReturnType<typeof jsonBytes>, value: T) => void, value: T): string {
  const out = jsonBytes(8)
  write(out, value)
  return Buffer.from(out.bytes.subarray(0, out.length)).toString()
}

const decimals = fc
  .record({ unscaled: fc.maxSafeInteger(), scale: fc.integer({ min: 0, max: 12 }) })
  .map(({ unscaled, scale }) => Number(`${unscaled}e-${scale}`))

it('writes doubles with the digits that JavaScript writes', () => {
  const edges = [
    0.1, -0.5, 0.000001, 0.0000001, 1e-7, 0.1234567, 99999.99, -99999.995, 999_999_999.999999, 1_000_000_000.000001, 1e15 + 0.5, 2 ** 53, 1e21,
    5e-324, 0.1 + 0.2, 1.005, 4503599627.370496, 4503599627.3704967, 0,
  ]
  for (const value of edges) expect(written(writeDouble, value)).toBe(String(value))
  const values = fc.oneof(decimals, fc.double({ noNaN: true, noDefaultInfinity: true })).filter((value) => !Object.is(value, -0))
  fc.assert(fc.property(values, (value) => written(writeDouble, value) === String(value)), { numRuns: 2000 })
})

it('keeps the sign of zero, and writes values without a JSON number as strings', () => {
  expect([-0, Infinity, -Infinity, NaN].map((value) => written(writeDouble, value))).toEqual(['-0', '"Infinity"', '"-Infinity"', '"NaN"'])
})

it('writes integers as numbers up to 2^53 - 1, and as strings beyond', () => {
  const safe = 9007199254740991n
  expect([safe, -safe, 0n].map((value) => written(writeBigInteger, value))).toEqual([String(safe), String(-safe), '0'])
  const large = [safe + 1n, safe + 2n, -safe - 1n, 2n ** 63n - 1n, -(2n ** 63n)]
  expect(large.map((value) => written(writeBigInteger, value))).toEqual(large.map((value) => `"${value}"`))
})
