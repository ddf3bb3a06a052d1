import type { Clock } from '../src/ports/clock.ts'

/** A clock that only advances when a test moves it. */
export interface ManualClock extends Clock {
  /** Advances time and wakes every sleeper that is due, in order. */
  advance(ms: number): Promise<void>
  /** Advances time in one step, as when a machine was asleep. Sleepers that are due wake once, at the end. */
  leap(ms: number): void
  /** The number of callers waiting for the clock. All others are working. */
  sleepers(): number
}

export function manualClock(start = '2026-01-05T09:00:00.000Z'): ManualClock {
  let elapsedMs = 0
  const startMs = Date.parse(start)
  const sleepers = new Set<{ dueMs: number; wake: () => void }>()
  return {
    now: () => new Date(startMs + elapsedMs),
    monotonicMs: () => elapsedMs,
    machineMs: () => startMs + elapsedMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted || ms <= 0) return resolve()
        const sleeper = {
          dueMs: elapsedMs + ms,
          wake: () => {
            sleepers.delete(sleeper)
            signal?.removeEventListener('abort', sleeper.wake)
            resolve()
          },
        }
        sleepers.add(sleeper)
        signal?.addEventListener('abort', sleeper.wake)
      }),
    sleepers: () => sleepers.size,
    leap(ms) {
      elapsedMs += ms
      for (const sleeper of sleepers) if (sleeper.dueMs <= elapsedMs) sleeper.wake()
    },
    async advance(ms) {
      const targetMs = elapsedMs + ms
      for (;;) {
        const due = [...sleepers].filter((sleeper) => sleeper.dueMs <= targetMs).sort((a, b) => a.dueMs - b.dueMs)[0]
        if (!due) break
        elapsedMs = Math.max(elapsedMs, due.dueMs)
        due.wake()
        // Let the woken caller run up to its next wait before time advances.
        await new Promise((resolve) => setImmediate(resolve))
      }
      elapsedMs = targetMs
    },
  }
}
