/**
 * One turn of the event loop. The embedded store works on this very thread and answers before anybody else gets the chance to ask:
 * long work yields now and then, so that requests are heard.
 */
export const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
