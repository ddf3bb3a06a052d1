/**
 * One turn of the event loop. The embedded store works on this very thread and answers before anybody else gets the chance to ask:
 * whoever has much to do waits for the next turn now and then, so that requests are heard.
 */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
