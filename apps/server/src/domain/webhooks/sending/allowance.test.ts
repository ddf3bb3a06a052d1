import { expect, test } from 'vitest'
import { allowanceAtFirst, allowanceMax, claimableCount, nextAllowance, unprovenMax } from './allowance.ts'

const quick = { isSuccess: true, durationMs: 40 }
const slow = { isSuccess: true, durationMs: 4_000 }
const failed = { isSuccess: false, durationMs: 40 }
const after = (attempts: (typeof quick)[]) => attempts.reduce(nextAllowance, allowanceAtFirst)

test('grows with quick successes up to its maximum', () => {
  expect(after([quick])).toBe(allowanceAtFirst + 1)
  expect(after(Array.from({ length: 100 }, () => quick))).toBe(allowanceMax)
})

test('is halved by failures and slow answers, but never below one request', () => {
  expect(after([failed])).toBe(allowanceAtFirst / 2)
  expect(after([slow, failed])).toBe(allowanceAtFirst / 4)
  expect(after(Array.from({ length: 50 }, () => failed))).toBe(1)
})

test('grows again step by step after an endpoint recovers', () => {
  expect(after([...Array.from({ length: 50 }, () => failed), quick, quick, quick])).toBe(4)
})

test('the fuller the worker, the fewer slots an unproven endpoint gets', () => {
  const unprovenWith = (inFlight: number, reserved = 20) => unprovenMax({ inFlight, inFlightMax: 100, reserved })
  expect([0, 6, 7, 79, 80, 100].map((inFlight) => unprovenWith(inFlight))).toEqual([allowanceMax, allowanceMax, 1, 1, 0, 0])
  expect(unprovenWith(100, 0)).toBe(allowanceMax)
})

test('a claim takes reserved slots only when unproven endpoints get none', () => {
  const claimableWith = (inFlight: number, reserved = 20) => claimableCount({ inFlight, inFlightMax: 100, reserved }, 10)
  expect([0, 75, 79, 80, 95].map((inFlight) => claimableWith(inFlight))).toEqual([10, 5, 1, 10, 10])
  expect(claimableWith(95, 0)).toBe(5)
})
