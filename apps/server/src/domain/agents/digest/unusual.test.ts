import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isUnusual, median, scores } from './unusual.ts'

const unusual = (values: number[]) => values.filter((_, at) => isUnusual(scores(values)[at]!))

test('a value far from the others is unusual, whether high or low', () => {
  expect(unusual([10, 11, 9, 10, 12, 10, 9, 50])).toEqual([50])
  expect(unusual([10, 11, 9, 10, 12, 10, 9, -50])).toEqual([-50])
})

test('the score matches the formula in the docs', () => {
  // Median 5, deviations 4 3 2 1 0 1 2 3 95: their median is 2.
  const found = scores([1, 2, 3, 4, 5, 6, 7, 8, 100])
  expect(found.at(-1)).toBeCloseTo((0.6745 * 95) / 2, 10)
  expect(found[0]).toBeCloseTo((0.6745 * -4) / 2, 10)
})

test('several extreme values do not mask each other', () => {
  expect(unusual([10, 11, 9, 10, 12, 10, 9, 11, 500, 600, 700])).toEqual([500, 600, 700])
})

test('does not judge fewer than eight values', () => {
  expect(unusual([10, 10, 10, 11, 9, 10, 1000])).toEqual([])
})

test('uses the mean deviation when most values are the same', () => {
  expect(unusual([5, 5, 5, 5, 5, 5, 5, 5, 5, 30])).toEqual([30])
  expect(unusual([5, 5, 5, 5, 5, 5, 5, 5])).toEqual([])
})

test('the median', () => {
  expect(median([3, 1, 2])).toBe(2)
  expect(median([4, 1, 2, 3])).toBe(2.5)
})

test('never fails, and adding a constant changes nothing', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ noNaN: true, noDefaultInfinity: true })), (values) => {
      expect(scores(values).every(Number.isFinite)).toBe(true)
    }),
    { seed: 5 },
  )
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 8 }), fc.integer({ min: -1000, max: 1000 }), (values, shift) => {
      const moved = unusual(values.map((value) => value + shift)).map((value) => value - shift)
      expect(moved).toEqual(unusual(values))
    }),
    { seed: 6 },
  )
})
