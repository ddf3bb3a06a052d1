import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { missingTokens, takeToken, type TokenBucket } from './token-bucket.ts'

const buckets = fc.record({ burst: fc.integer({ min: 1, max: 20 }), regainMs: fc.integer({ min: 1, max: 5000 }) })
/** Pauses between attempts. */
const pauses = fc.array(fc.nat(8000), { maxLength: 60 })

/** Makes attempts one after the other; a rejected one leaves the bucket unchanged. */
function attempt(bucket: TokenBucket, pausesMs: number[]) {
  let nowMs = 1_000_000
  let fullAtMs: number | undefined
  return pausesMs.map((pauseMs) => {
    nowMs += pauseMs
    const taken = takeToken(bucket, fullAtMs, nowMs)
    if (taken.waitMs === 0) fullAtMs = taken.fullAtMs
    return { nowMs, isTaken: taken.waitMs === 0, waitMs: taken.waitMs, fullAtMs }
  })
}

describe('takeToken', () => {
  test('behaves like a bucket that is refilled continuously', () => {
    fc.assert(
      fc.property(buckets, pauses, (bucket, pausesMs) => {
        let tokens = bucket.burst
        let lastMs: number | undefined
        for (const { nowMs, isTaken, waitMs } of attempt(bucket, pausesMs)) {
          tokens = Math.min(bucket.burst, tokens + (nowMs - (lastMs ?? nowMs)) / bucket.regainMs)
          lastMs = nowMs
          // Allow for rounding errors.
          expect(isTaken).toBe(tokens > 1 - 1e-6)
          expect(waitMs).toBeCloseTo(isTaken ? 0 : (1 - tokens) * bucket.regainMs, 3)
          if (isTaken) tokens -= 1
        }
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('waiting as told yields a token exactly then, and not a millisecond earlier', () => {
    fc.assert(
      fc.property(buckets, pauses, (bucket, pausesMs) => {
        for (const { nowMs, isTaken, waitMs, fullAtMs } of attempt(bucket, pausesMs)) {
          if (isTaken) continue
          expect(takeToken(bucket, fullAtMs, nowMs + waitMs).waitMs).toBe(0)
          expect(takeToken(bucket, fullAtMs, nowMs + waitMs - 1).waitMs).toBe(1)
          expect(waitMs).toBeLessThanOrEqual(bucket.regainMs)
        }
      }),
      { seed: 2, numRuns: 300 },
    )
  })

  test('a time further ahead than an empty bucket means an empty bucket', () => {
    const bucket = { burst: 3, regainMs: 1000 }
    expect(takeToken(bucket, 1_000_000, 0)).toEqual(takeToken(bucket, 3000, 0))
    expect(takeToken(bucket, 1_000_000, 0).waitMs).toBe(1000)
  })
})

test('missingTokens counts tokens taken and not yet regained', () => {
  const bucket = { burst: 3, regainMs: 1000 }
  const { fullAtMs } = takeToken(bucket, takeToken(bucket, undefined, 0).fullAtMs, 0)
  expect([0, 1, 1000, 1999, 2000, 9000].map((nowMs) => missingTokens(bucket, fullAtMs, nowMs))).toEqual([2, 2, 1, 1, 0, 0])
})
