/**
 * Delivery is at least once: the same event may arrive again, after a slow answer even while it is still being handled.
 *
 * Words: an event is *handled* once its handler has succeeded, *in progress* while the handler runs.
 *
 * Invariants of every implementation:
 * 1. Of an id, at most one handler runs at a time, and after one has succeeded none runs again while it is remembered.
 * 2. A handler that failed is forgotten, so that the next attempt of the sender is handled.
 * 3. Nobody is told `duplicate` before the event is handled: the sender may stop sending when it hears 2xx.
 *
 * In a database all three come from one transaction: insert the id under a unique key and do nothing on conflict; where
 * it was inserted, do the work in the same transaction; commit. A second insert waits for the first to end.
 */
export interface SeenEvents {
  /** Runs `handle` unless an event of this id was handled before. Rejects as `handle` does. */
  once(id: string, handle: () => unknown): Promise<'handled' | 'duplicate'>
}

export interface InMemorySeenEventsOptions {
  /** The oldest are forgotten beyond this many. 100,000 by default. */
  maxEvents?: number | undefined
  /** Forgotten after this time. 72 hours by default: the attempts of one event span less than 39. */
  maxAgeMs?: number | undefined
  /** For tests. */
  now?: (() => Date) | undefined
}

/** For a single process; what it has seen is gone when the process ends. */
export function inMemorySeenEvents(options: InMemorySeenEventsOptions = {}): SeenEvents {
  const { maxEvents = 100_000, maxAgeMs = 72 * 60 * 60 * 1000, now = () => new Date() } = options
  if (!(maxEvents >= 1)) throw new RangeError('maxEvents must be 1 or more.')
  if (!(maxAgeMs > 0)) throw new RangeError('maxAgeMs must be more than 0.')
  // A Map keeps its keys in the order of insertion: the first was handled first.
  const handledAtMs = new Map<string, number>()
  const inProgress = new Map<string, Promise<void>>()

  function forget() {
    const oldestMs = now().getTime() - maxAgeMs
    for (const [id, atMs] of handledAtMs) {
      if (atMs > oldestMs && handledAtMs.size <= maxEvents) break
      handledAtMs.delete(id)
    }
  }

  return {
    async once(id, handle) {
      // Again after each wait: of several that waited for a handler that failed, one begins and the others wait for it.
      for (let other = inProgress.get(id); other; other = inProgress.get(id)) await other
      forget()
      if (handledAtMs.has(id)) return 'duplicate'
      const { promise, resolve: end } = withResolver()
      inProgress.set(id, promise)
      try {
        await handle()
        handledAtMs.set(id, now().getTime())
        forget()
      } finally {
        inProgress.delete(id)
        end()
      }
      return 'handled'
    },
  }
}

/** `Promise.withResolvers` is younger than Node 20. */
function withResolver() {
  let resolve!: () => void
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise))
  return { promise, resolve }
}
