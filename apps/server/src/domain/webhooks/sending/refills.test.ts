import { expect, test } from 'vitest'
import { isBesideOthers, refillMax, refillOf } from './refills.ts'

test('a lane that is not busy gets all of its room', () => {
  expect(refillOf({ isBusy: false, refillAtMs: 2_000 }, 32, 1_000)).toBe(32)
})

test('a busy lane gets nothing before its time, and then a part of its room', () => {
  const lane = { isBusy: true, refillAtMs: 1_010 }
  expect(refillOf(lane, 32, 1_009)).toBe(0)
  expect(refillOf(lane, 32, 1_010)).toBe(refillMax)
  expect(refillOf(lane, 3, 1_010)).toBe(3)
})

test('other endpoints count for a second', () => {
  expect(isBesideOthers(-Infinity, 0)).toBe(false)
  expect(isBesideOthers(5_000, 5_999)).toBe(true)
  expect(isBesideOthers(5_000, 6_000)).toBe(false)
})
