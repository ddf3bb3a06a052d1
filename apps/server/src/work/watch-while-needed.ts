import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { asNobody } from '../store/access/viewer.ts'
import type { WakeupChannel, Wakeups } from '../store/wakeups.ts'

/**
 * A *watch* polls the store on behalf of everything in this process that waits for the same kind of change, so that a waiter costs no
 * statement of its own. It looks at each wake-up, periodically (a wake-up may be lost), and when told to. It runs only while needed.
 */
export interface Watch {
  /** Looks now, and starts the watch if it is needed and not running. Call it for each new waiter, and when the last one has left. */
  look(): void
}

export function watchWhileNeeded(options: {
  /** For the log: `failed to …`. */
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
        // Ignore the error if nothing is waiting any more: the last waiter may have left because the store is closing.
        if (isNeeded()) options.log.error({ err: error }, `failed to ${options.what}; retrying`)
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
    // Shared by everyone who waits, so it must not take on the view of the first.
    if (!isWatching && isNeeded()) void asNobody(keepWatching)
  }
  return { look }
}
