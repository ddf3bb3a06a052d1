import type { Clock } from '../../ports/clock.ts'
import { Refusal } from '../refusal.ts'

/**
 * Bounds how often a person may have connections made to places of their choice. A person has up to 20 tries at hand and gets one
 * more every three seconds: more than anybody fills in a form, too few to search a network by.
 *
 * It is one process's memory, and forgets whoever has all tries at hand.
 */
export interface ConnectionThrottle {
  /** Refuses with `too_many_requests`. */
  take(userId: string): void
}

const triesMax = 20
const tryEveryMs = 3000

export function makeConnectionThrottle({ clock }: { clock: Clock }): ConnectionThrottle {
  /** When each person will have all tries at hand again. */
  const wholeAtMs = new Map<string, number>()
  return {
    take(userId) {
      const nowMs = clock.monotonicMs()
      for (const [known, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(known)
      const nextMs = (wholeAtMs.get(userId) ?? nowMs) + tryEveryMs
      const retryAfterMs = nextMs - nowMs - triesMax * tryEveryMs
      if (retryAfterMs > 0) {
        const message = 'You have tried many connections. Wait a few seconds, then try again.'
        throw new Refusal('too_many_requests', message, undefined, { retryAfterMs })
      }
      wholeAtMs.set(userId, nextMs)
    },
  }
}
