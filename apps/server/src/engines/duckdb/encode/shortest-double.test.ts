import fc from 'fast-check'
import { expect, it } from 'vitest'
import { jsonBytes } from '../../json-bytes.ts'
import { writeShortestDouble } from './shortest-double.ts'

function written(value: number): string | undefined {
  const out = jsonBytes(8)
  return writeShortestDouble(out, value) ? Buffer.from(out.bytes.subarray(0, out.length)).toString() : undefined
}

/** The double that is `steps` further from zero. */
function stepped(value: number, steps: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  view.setBigUint64(0, view.getBigUint64(0) + BigInt(steps))
  return view.getFloat64(0)
}

const inRange = fc.double({ min: 1e-6, max: 999_999_999, noNaN: true })
/** Doubles around decimals of any length, where the choice between 15, 16 and 17 digits is closest. */
const aroundDecimals = fc
  .tuple(inRange, fc.integer({ min: 1, max: 17 }), fc.integer({ min: -3, max: 3 }))
  .map(([value, precision, steps]) => stepped(Number(value.toPrecision(precision)), steps))

it('writes what String returns', () => {
  const values = fc.tuple(fc.oneof(inRange, aroundDecimals), fc.boolean()).map(([value, isNegative]) => (isNegative ? -value : value))
  const isRight = fc.property(values, (value) => [String(value), undefined].includes(written(value)))
  expect(fc.check(isRight, { numRuns: 20_000 }).counterexample).toBeNull()
})

it('writes nearly all doubles of its range', () => {
  const values = Array.from({ length: 10_000 }, (_, index) => Math.sin(index + 1) * 10 ** (index % 10))
  expect(values.filter((value) => written(value) !== String(value)).length).toBeLessThan(10)
})

it('leaves to String what it cannot write', () => {
  const others = [0, -0, NaN, Infinity, -Infinity, 1e-7, 9.999999e-7, 1e9, 1e21, 0.5, 2 ** -10, 5e-324]
  expect(others.filter((value) => written(value) !== undefined)).toEqual([])
})
