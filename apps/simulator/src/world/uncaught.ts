/**
 * Ends the world with a violation on an unhandled rejection, which would end a service process. Other listeners, such as a test runner's,
 * are disabled while a world runs.
 */
export function watchForUncaught(report: (message: string) => void): { stop(): void } {
  const events = ['unhandledRejection', 'uncaughtException'] as const
  const others = events.map((event) => [event, process.listeners(event as 'uncaughtException')] as const)
  const descriptions = { unhandledRejection: 'unhandled rejection', uncaughtException: 'uncaught exception' }
  for (const event of events) {
    process.removeAllListeners(event)
    process.on(event, (error: unknown) => report(`${descriptions[event]}: ${error instanceof Error ? error.message : String(error)}`))
  }
  return {
    stop() {
      for (const [event, listeners] of others) {
        process.removeAllListeners(event)
        for (const listener of listeners) process.on(event, listener)
      }
    },
  }
}
