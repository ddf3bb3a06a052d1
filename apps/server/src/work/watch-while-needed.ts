import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { WakeupChannel, Wakeups } from '../store/wakeups.ts'

/**
 * A *watch* looks at the store for all who wait for something in this process, so that each of them costs no statement of its own: at
 * a wake-up, now and then by itself, since a wake-up may be lost, and when told to. It goes on while somebody needs it.
 */
export interface Watch {
  /** Looks now; begins where somebody needs it and it rests. To be told of whoever comes, and when the last has left. */
  look(): void
}

export function watchWhileNeeded(options: {
  /** For the log: `could not …`. */
  what: string
  channel: WakeupChannel
  everyMs: number
  clock: Clock
  log: Log
  wakeups: Wakeups
  isNeeded(): boolean
  act(): Promise<void>
}): Watch {
  const { clock, isNeeded } = options
  let isWatching = false
  let hasNews = false
  let pause = new AbortController()

  async function keepWatching() {
    isWatching = true
    const stopListening = options.wakeups.listen(options.channel, look)
    while (isNeeded()) {
      hasNews = false
      try {
        await options.act()
      } catch (error) {
        // The last who waits may leave because the store closes.
        if (isNeeded()) options.log.error({ err: error }, `could not ${options.what}; trying again`)
      }
      if (hasNews || !isNeeded()) continue
      pause = new AbortController()
      await clock.sleep(options.everyMs, pause.signal)
    }
    stopListening()
    isWatching = false
  }

  function look() {
    hasNews = true
    pause.abort('look')
    if (!isWatching && isNeeded()) void keepWatching()
  }
  return { look }
}
