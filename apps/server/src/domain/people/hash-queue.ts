import { makeKeyedSemaphore, SemaphoreFull } from '../../ports/semaphore.ts'
import { Refusal } from '../refusal.ts'

/**
 * Runs password hashes one at a time, so that a flood of sign-ins occupies one thread and not all of them.
 *
 * - Those who wait are served in turns by their key (a network, or an account): many waiting of one key delay another key by one
 *   hash, not by all of them.
 * - The queue is bounded, for each key and in all. A full one refuses at once, which is cheaper than letting the client wait in vain.
 *
 * Known devices and strangers have a queue each: a known device never waits behind strangers.
 */
export interface HashQueue {
  /** Refuses with `too_many_requests` when the queue is full. */
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
