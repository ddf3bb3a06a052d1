import type { Clock } from './clock.ts'

/**
 * One alarm for many deadlines. All have the same time, so they run out in the order in which they began, and only the first
 * needs watching: a timer for each, set and cleared thousands of times a second, would cost more than what it guards.
 */
export interface Deadlines {
  /** Calls `expire` after the time, unless the function it returns has been called before. */
  begin(expire: () => void): () => void
}

interface Deadline {
  dueMs: number
  expire(): void
}

export function makeDeadlines({ clock, afterMs }: { clock: Clock; afterMs: number }): Deadlines {
  /** In the order in which they began. */
  const running = new Set<Deadline>()
  let pause: AbortController | undefined

  async function watch() {
    const mine = new AbortController()
    pause = mine
    for (;;) {
      const [first] = running
      if (!first) break
      const leftMs = first.dueMs - clock.monotonicMs()
      if (leftMs > 0) {
        await clock.sleep(leftMs, mine.signal)
        // Nobody was left to wait for; who has begun since is watched anew.
        if (mine.signal.aborted) return
      } else {
        running.delete(first)
        first.expire()
      }
    }
    pause = undefined
  }

  return {
    begin(expire) {
      const deadline = { dueMs: clock.monotonicMs() + afterMs, expire }
      running.add(deadline)
      if (!pause) void watch()
      return () => {
        running.delete(deadline)
        if (running.size > 0 || !pause) return
        // With a reason of our own; else one is made, with a stack trace.
        pause.abort('nobody is left')
        pause = undefined
      }
    },
  }
}
