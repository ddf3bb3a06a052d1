import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideDelivery, judgeExhausted } from './decide-delivery.ts'

const after = (attemptNumber: number, jitter = 0) => {
  const decision = decideDelivery({ isSuccess: false, attemptNumber, jitter })
  return decision.state === 'pending' ? decision.waitMs : decision.state
}

describe('a delivery', () => {
  test('waits 30 seconds, 2, 8 and 32 minutes, 2, 8.5 and 24 hours, and then is exhausted', () => {
    const minute = 60_000
    const waits = [0.5, 2, 8, 32, 120, 510, 1440].map((minutes) => minutes * minute)
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((attemptNumber) => after(attemptNumber))).toEqual([...waits, 'exhausted'])
    expect(waits.reduce((sum, wait) => sum + wait)).toBe(35 * 60 * minute + 12.5 * minute)
  })

  test('jitter only lengthens a wait, by at most a tenth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (attempt, jitter) => {
        const plain = after(attempt) as number
        const waited = after(attempt, jitter) as number
        expect(waited).toBeGreaterThanOrEqual(plain)
        expect(waited).toBeLessThanOrEqual(plain * 1.1 + 1)
      }),
      { seed: 6, numRuns: 500 },
    )
  })

  test('is delivered by a success, even at the last attempt', () => {
    for (const attemptNumber of [1, 5, 8]) {
      expect(decideDelivery({ isSuccess: true, attemptNumber, jitter: 0.5 })).toEqual({ state: 'delivered' })
    }
  })
})

describe('an endpoint', () => {
  const judge = (consecutiveFailures: number, state: 'enabled' | 'disabled' = 'enabled') =>
    judgeExhausted({ state, consecutiveFailures })

  test('warns its creator at the third exhausted event in a row, and is disabled at the fifth', () => {
    expect([0, 1, 2, 3, 4].map((before) => judge(before))).toEqual([
      { consecutiveFailures: 1, isDisabledNow: false, notice: null },
      { consecutiveFailures: 2, isDisabledNow: false, notice: null },
      { consecutiveFailures: 3, isDisabledNow: false, notice: 'endpoint_failing' },
      { consecutiveFailures: 4, isDisabledNow: false, notice: null },
      { consecutiveFailures: 5, isDisabledNow: true, notice: 'endpoint_disabled' },
    ])
  })

  test('is not judged again while it is disabled, so nobody is notified twice', () => {
    expect(judge(5, 'disabled')).toEqual({ consecutiveFailures: 5, isDisabledNow: false, notice: null })
    expect(judge(2, 'disabled')).toEqual({ consecutiveFailures: 2, isDisabledNow: false, notice: null })
  })
})
