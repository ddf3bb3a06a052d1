import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** A task that runs periodically, and at once when told to look. It never runs twice at the same time. */
export interface RepeatedTask {
  start(): void
  /** Runs the task now; if it is already running, once more afterwards. */
  look(): void
  /** Resolves when the task has ended and will not run again. */
  stop(): Promise<void>
}

/** A failed task is retried after this long, or after the ordinary pause if that is shorter. */
const retryAfterMs = 1_000

export function repeatTask(options: {
  /** For the log: `failed to …`. */
  what: string
  everyMs: number
  /** How long the first run waits after the start; by default it begins at once. */
  firstAfterMs?: number
  clock: Clock
  log: Log
  act(): Promise<void>
}): RepeatedTask {
  const { clock, log } = options
  let isStopped = true
  let loop = Promise.resolve()
  let hasNews = false
  let pause = new AbortController()

  async function run() {
    if (options.firstAfterMs !== undefined) await pauseFor(options.firstAfterMs)
    while (!isStopped) {
      hasNews = false
      let pauseMs = options.everyMs
      try {
        await options.act()
      } catch (error) {
        log.error({ err: error }, `failed to ${options.what}; retrying`)
        pauseMs = Math.min(pauseMs, retryAfterMs)
        // An unavailable store fails at once. Without this, frequent wake-ups would make this loop retry without a pause.
        hasNews = false
      }
      if (hasNews || isStopped) continue
      await pauseFor(pauseMs)
    }
  }
  async function pauseFor(ms: number) {
    pause = new AbortController()
    await clock.sleep(ms, pause.signal)
  }
  return {
    start() {
      isStopped = false
      loop = run()
    },
    look() {
      // This may be called thousands of times a second, so a repeated call must cost nothing.
      if (hasNews) return
      hasNews = true
      pause.abort('look')
    },
    async stop() {
      isStopped = true
      pause.abort()
      await loop
    },
  }
}
