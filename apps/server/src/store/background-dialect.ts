import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import { PGliteDialect } from 'kysely'

/**
 * The embedded store runs one transaction at a time, on this thread. Background work has its own *lane* to it, and the two lanes
 * take turns. So a request waits for at most one background transaction, not for the work of a thousand automations.
 *
 * Between two background transactions this yields to the event loop. The store's responses do not need the event loop, so
 * continuous background work would otherwise keep requests from being accepted at all.
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
