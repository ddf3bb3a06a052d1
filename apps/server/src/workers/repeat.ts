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

export function keepDoing(options: {
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
      try {
        await options.act()
      } catch (error) {
        log.error({ err: error }, `failed to ${options.what}; trying again`)
      }
      if (hasNews || isStopped) continue
      pause = new AbortController()
      await clock.sleep(options.everyMs, pause.signal)
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
