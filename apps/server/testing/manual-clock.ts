import type { Clock } from '../src/ports/clock.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves time forward and wakes every sleeper whose time has come, in order. */
  advance(ms: number): Promise<void>
  /** Moves time forward at once, as when a machine was asleep: whoever's time has come wakes at the end, and once. */
  leap(ms: number): void
  /** How many wait for the clock: whoever is not among them is at work. */
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
        // Lets what was waiting run up to its next wait before time goes on.
        await new Promise((resolve) => setImmediate(resolve))
      }
      elapsedMs = targetMs
    },
  }
}
