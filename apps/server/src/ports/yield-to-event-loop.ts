/**
 * Waits for one turn of the event loop. The embedded store works on this thread, so long work yields now and then to let requests
 * be handled.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
