import { expect, test } from 'vitest'
import { allowanceAtFirst, allowanceMax, nextAllowance } from './allowance.ts'

const quick = { isSuccess: true, durationMs: 40 }
const slow = { isSuccess: true, durationMs: 4_000 }
const failed = { isSuccess: false, durationMs: 40 }
const after = (attempts: (typeof quick)[]) => attempts.reduce(nextAllowance, allowanceAtFirst)

test('quick successes widen it up to its maximum', () => {
  expect(after([quick])).toBe(allowanceAtFirst + 1)
  expect(after(Array.from({ length: 100 }, () => quick))).toBe(allowanceMax)
})

test('failures and slow answers halve it, and one request may always be in flight', () => {
  expect(after([failed])).toBe(allowanceAtFirst / 2)
  expect(after([slow, failed])).toBe(allowanceAtFirst / 4)
  expect(after(Array.from({ length: 50 }, () => failed))).toBe(1)
})

test('an endpoint that has recovered is trusted again step by step', () => {
  expect(after([...Array.from({ length: 50 }, () => failed), quick, quick, quick])).toBe(4)
})
