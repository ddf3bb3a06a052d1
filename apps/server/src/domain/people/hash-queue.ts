import { makeKeyedSemaphore, SemaphoreFull } from '../../ports/semaphore.ts'
import { Refusal } from '../refusal.ts'

/**
 * Runs password hashes one at a time, so that a flood of sign-ins occupies one thread and not all of them.
 *
 * - Waiting work is served in turn by key (a network or an account): many waiting for one key delay another key by one hash, not by
 *   all of them.
 * - The queue is bounded, per key and in total. A full queue rejects at once, which is cheaper than letting the client wait in
 * vain.
 *
 * Known devices and strangers have separate queues, so a known device never waits behind strangers.
 */
export interface HashQueue {
  /** Throws `too_many_requests` if the queue is full. */
  run<Result>(key: string, work: () => Promise<Result>): Promise<Result>
}

/** About as long as a full queue takes on a slow machine. */
const retryAfterMs = 5_000

export function makeHashQueue(options: { waitingMax: number; waitingMaxOfKey: number }): HashQueue {
  const { waitingMax, waitingMaxOfKey: waitingMaxPerKey } = options
  const semaphore = makeKeyedSemaphore({ permits: 1, waitingMax, waitingMaxPerKey })
  return {
    async run(key, work) {
      try {
        return await semaphore.run(key, work)
      } catch (error) {
        if (!(error instanceof SemaphoreFull)) throw error
        const message = 'Too many people are signing in at the moment. Try again in a few seconds.'
        throw new Refusal('too_many_requests', message, undefined, { retryAfterMs })
      }
    },
  }
}
