import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import { PGliteDialect } from 'kysely'

/**
 * The embedded store answers one at a time, on this very thread. Whoever works in the background has a *lane* of its
 * own to it, so a request never waits behind all that a thousand automations want of it, but behind one transaction at
 * most: the two lanes take turns.
 *
 * Between two turns of the background the event loop turns too. The store's answers need no turn of it, so one that is
 * always asked for more would otherwise keep requests from being heard at all.
 */
export class BackgroundDialect extends PGliteDialect {
  override createDriver(): ReturnType<PGliteDialect['createDriver']> {
    const driver = super.createDriver()
    const acquireConnection = driver.acquireConnection.bind(driver)
    driver.acquireConnection = async (options) => {
      await yieldToEventLoop()
      return acquireConnection(options)
    }
    return driver
  }
}
