import type { Clock } from '../ports/clock.ts'

/** Writes what requests have noted in the background, so that no request waits for the write. */
export interface DelayedWriter {
  /** Writes after the delay, unless a write is scheduled already. */
  schedule(): void
  /** Resolves when everything noted so far is written. Call it before shutting down and before reading the data. */
  flush(): Promise<void>
}

export function makeDelayedWriter(options: {
  clock: Clock
  delayMs: number
  /** Never rejects. Returns whether there is more to write. */
  write(): Promise<boolean>
}): DelayedWriter {
  let pause = new AbortController()
  let round: Promise<void> | undefined

  async function writeLater() {
    await options.clock.sleep(options.delayMs, pause.signal)
    pause = new AbortController()
    round = (await options.write()) ? writeLater() : undefined
  }

  return {
    schedule() {
      round ??= writeLater()
    },
    async flush() {
      // Twice: a round that is already writing misses what was noted since it began. The next round writes that.
      for (let count = 0; count < 2; count++) {
        pause.abort()
        await round
      }
    },
  }
}
