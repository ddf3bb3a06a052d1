import type { Clock } from '../../../ports/clock.ts'
import { Refusal } from '../../refusal.ts'

/**
 * Bounds how often a person may have a URL looked at, since each look may ask DNS for a name of the person's choice. A person has
 * up to 40 looks at hand and gets one more each second: more than anybody types, too few to search a network by.
 *
 * It is one process's memory. With several processes the limit holds for each. Who has all looks at hand is forgotten, so it
 * remembers the people of the last 40 seconds and nobody else.
 */
export interface UrlCheckThrottle {
  /** Refuses with `too_many_requests`. */
  take(userId: string): void
}

const looksMax = 40
const lookEveryMs = 1000

export function makeUrlCheckThrottle({ clock }: { clock: Clock }): UrlCheckThrottle {
  /** When each person will have all looks at hand again. */
  const wholeAtMs = new Map<string, number>()
  return {
    take(userId) {
      const nowMs = clock.monotonicMs()
      for (const [known, atMs] of wholeAtMs) if (atMs <= nowMs) wholeAtMs.delete(known)
      const nextMs = (wholeAtMs.get(userId) ?? nowMs) + lookEveryMs
      const retryAfterMs = nextMs - nowMs - looksMax * lookEveryMs
      if (retryAfterMs > 0) {
        const message = 'You have had many URLs looked at. Wait a second; saving checks it in any case.'
        throw new Refusal('too_many_requests', message, undefined, { retryAfterMs })
      }
      wholeAtMs.set(userId, nextMs)
    },
  }
}
