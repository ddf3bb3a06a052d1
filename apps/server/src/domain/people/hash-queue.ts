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
  /** In the order of their turns; a key that has been served goes to the end. */
  const waiting = new Map<string, (() => void)[]>()
  let waitingCount = 0
  let isBusy = false

  function startNext(): void {
    const [next] = waiting
    isBusy = next !== undefined
    if (!next) return
    const [key, starts] = next
    const start = starts.shift()!
    waiting.delete(key)
    if (starts.length > 0) waiting.set(key, starts)
    waitingCount -= 1
    start()
  }

  function turn(key: string): Promise<void> {
    if (!isBusy) {
      isBusy = true
      return Promise.resolve()
    }
    const starts = waiting.get(key) ?? []
    if (starts.length >= options.waitingMaxOfKey || waitingCount >= options.waitingMax) {
      const message = 'Too many people are signing in at the moment. Try again in a few seconds.'
      throw new Refusal('too_many_requests', message, undefined, { retryAfterMs })
    }
    waiting.set(key, starts)
    waitingCount += 1
    return new Promise((resolve) => void starts.push(resolve))
  }

  return {
    async run(key, work) {
      await turn(key)
      try {
        return await work()
      } finally {
        startNext()
      }
    },
  }
}
