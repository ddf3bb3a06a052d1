import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'

/** A duty that is done now and then, and at once when somebody says "look". It is never done twice at the same time. */
export interface Repeated {
  start(): void
  /** Do it now; if it is being done, once more afterwards. */
  look(): void
  /** Resolves when it is not being done any more. */
  stop(): Promise<void>
}

/** What fails is done again after this long, or after the ordinary pause where that is shorter. */
const againAfterMs = 1_000

export function keepDoing(options: {
  /** For the log: `failed to …`. */
  what: string
  everyMs: number
  clock: Clock
  log: Log
  act(): Promise<void>
}): Repeated {
  const { clock, log } = options
  let isStopped = true
  let loop = Promise.resolve()
  let hasNews = false
  let pause = new AbortController()

  async function run() {
    while (!isStopped) {
      hasNews = false
      let pauseMs = options.everyMs
      try {
        await options.act()
      } catch (error) {
        log.error({ err: error }, `failed to ${options.what}; trying again`)
        pauseMs = Math.min(pauseMs, againAfterMs)
        // A store that is away answers at once that it is. Woken again and again, this would ask it without a pause.
        hasNews = false
      }
      if (hasNews || isStopped) continue
      pause = new AbortController()
      await clock.sleep(pauseMs, pause.signal)
    }
  }
  return {
    start() {
      isStopped = false
      loop = run()
    },
    look() {
      // Told thousands of times a second, it must cost nothing to be told again.
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
