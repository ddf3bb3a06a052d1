import { expect, test } from 'vitest'
import { allowanceAtFirst, allowanceMax, nextAllowance } from './allowance.ts'

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
