/**
 * Delivery is at least once: the same event may arrive again, and after a slow response even while it is still being handled.
 *
 * Words: an event is *handled* once its handler has succeeded, *in progress* while the handler runs.
 *
 * Invariants of every implementation:
 * 1. For each id, at most one handler runs at a time, and after one has succeeded none runs again while the id is remembered.
 * 2. A failed handler is forgotten, so that the sender's next attempt is handled.
 * 3. `duplicate` is never returned before the event is handled: the sender may stop sending after a 2xx.
 *
 * In a database one transaction provides all three: insert the id under a unique key, doing nothing on conflict; if it was
 * inserted, do the work in the same transaction; commit. A second insert waits for the first to end.
 */
export interface SeenEvents {
  /** Runs `handle` unless an event with this id has been handled before. Rejects if `handle` does. */
  once(id: string, handle: () => unknown): Promise<'handled' | 'duplicate'>
}

export interface InMemorySeenEventsOptions {
  /** Beyond this many, the oldest are forgotten. 100,000 by default. */
  maxEvents?: number | undefined
  /** How long events are remembered. 72 hours by default: the attempts of one event span less than 39. */
  maxAgeMs?: number | undefined
  /** For tests. */
  now?: (() => Date) | undefined
}

/** For a single process; it forgets everything when the process ends. */
export function inMemorySeenEvents(options: InMemorySeenEventsOptions = {}): SeenEvents {
  const { maxEvents = 100_000, maxAgeMs = 72 * 60 * 60 * 1000, now = () => new Date() } = options
  if (!(maxEvents >= 1)) throw new RangeError('maxEvents must be 1 or more.')
  if (!(maxAgeMs > 0)) throw new RangeError('maxAgeMs must be more than 0.')
  // A Map keeps its keys in insertion order, so the first was handled first.
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
      // Checked again after each wait: of several that waited for a failed handler, one starts and the others wait for it.
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

/** `Promise.withResolvers` requires more than Node 20. */
function withResolver() {
  let resolve!: () => void
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise))
  return { promise, resolve }
}
