import type { Clock } from '../ports/clock.ts'
import { Refusal } from './refusal.ts'
import { takeToken, type TokenBucket } from './token-bucket.ts'

/**
 * Limits how often someone may do something: a token bucket per key, in this process's memory. With several processes, each has its
 * own limit. Full buckets are forgotten, so only recent keys are remembered.
 */
export interface Throttle {
  /** Throws `too_many_requests`. */
  take(key: string): void
}

export function makeThrottle(options: { clock: Clock; bucket: TokenBucket; message: string }): Throttle {
  const { clock, bucket, message } = options
  const fullAtMs = new Map<string, number>()
  return {
    take(key) {
      const nowMs = clock.monotonicMs()
      for (const [known, atMs] of fullAtMs) if (atMs <= nowMs) fullAtMs.delete(known)
      const taken = takeToken(bucket, fullAtMs.get(key), nowMs)
      if (taken.waitMs > 0) throw new Refusal('too_many_requests', message, undefined, { retryAfterMs: taken.waitMs })
      fullAtMs.set(key, taken.fullAtMs)
    },
  }
}
