import type { Clock } from './clock.ts'

/**
 * One timer for many deadlines. All have the same duration, so they expire in the order in which they began, and only the first
 * needs watching: a separate timer for each, set and cleared thousands of times a second, would cost more than the work it guards.
 */
export interface Deadlines {
  /** Calls `expire` after the time, unless the returned function has been called before. */
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
        // No deadline was left; any begun since has its own watcher.
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
        // With an explicit reason: otherwise an error with a stack trace is created.
        pause.abort('no deadlines left')
        pause = undefined
      }
    },
  }
}
