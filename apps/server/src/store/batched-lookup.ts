import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import { currentViewer } from './viewer.ts'
import { isInJoinedTransaction } from './joined-transaction.ts'

/**
 * Lookups by key that every request makes, such as the owner of an API key or the reference with a short id. They must be cheap
 * under load and never stale: a key revoked a moment ago is rejected at once, in every process. So nothing is cached. Instead,
 * concurrent lookups share one statement: while one statement is running, further lookups collect and are sent together when it
 * returns. A thousand requests cost a handful of statements.
 */
export type Lookup<Key, Value> = (key: Key) => Promise<Value | undefined>

export interface LookupOptions<Key, Value> {
  /** Reads all keys at once. Keys without a row are missing from the map. */
  read(keys: Key[]): Promise<Map<Key, Value>>
  maxKeys?: number
}

export function batchedLookup<Key, Value>(options: LookupOptions<Key, Value>): Lookup<Key, Value> {
  const maxKeys = options.maxKeys ?? 500
  let waiting = new Map<Key, PromiseWithResolvers<Value | undefined>>()
  let isReading = false

  async function readWaiting() {
    isReading = true
    while (waiting.size > 0) {
      // Yield once so that requests which have already arrived can join the batch. The embedded store needs this, because it
      // runs on this thread and nothing else can run while it works.
      await yieldToEventLoop()
      const batch = new Map([...waiting].slice(0, maxKeys))
      waiting = new Map([...waiting].slice(maxKeys))
      try {
        const values = await options.read([...batch.keys()])
        for (const [key, lookup] of batch) lookup.resolve(values.get(key))
      } catch (error) {
        for (const lookup of batch.values()) lookup.reject(error)
      }
    }
    isReading = false
  }

  return async (key) => {
    // A statement that was sent for others may wait for the connection of this transaction, and may find what this viewer may not see.
    if (isInJoinedTransaction() || currentViewer()) return (await options.read([key])).get(key)
    const lookup = waiting.get(key) ?? Promise.withResolvers<Value | undefined>()
    waiting.set(key, lookup)
    if (!isReading) void readWaiting()
    return lookup.promise
  }
}

/**
 * Starts a lookup for a caller who is not known yet. The returned lookup uses its answer for the same key, unless the caller turns out to
 * be a viewer: what was found may be hidden from them.
 */
export function lookupAhead<Key, Value>(lookup: Lookup<Key, Value>, expected: Key): Lookup<Key, Value> {
  const ahead = lookup(expected)
  // If the caller is rejected, nobody waits for the answer.
  ahead.catch(() => {})
  return (key) => (key === expected && !currentViewer() ? ahead : lookup(key))
}
