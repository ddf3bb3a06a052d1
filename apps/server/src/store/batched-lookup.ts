import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'

/**
 * Lookups by key that every request makes: whose key is this, which reference has this short id. They must be cheap under
 * load and never stale: a key revoked a moment ago is refused at once, in every process. So nothing is remembered. Lookups that wait at
 * the same time share one statement: while one is on its way those that come gather, and leave together when it is back, so a
 * thousand requests cost a handful of statements.
 */
export type Lookup<Key, Value> = (key: Key) => Promise<Value | undefined>

export interface LookupOptions<Key, Value> {
  /** Reads all the keys in one go; keys without a row are missing from the map. */
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
      // One turn of the event loop lets all requests come in that are already at the door. The embedded store needs it:
      // it works on this very thread, so while it answers nobody else gets the chance to ask.
      await yieldToEventLoop()
      const batch = new Map([...waiting].slice(0, maxKeys))
      waiting = new Map([...waiting].slice(maxKeys))
      try {
        const values = await options.read([...batch.keys()])
        for (const [key, asked] of batch) asked.resolve(values.get(key))
      } catch (error) {
        for (const asked of batch.values()) asked.reject(error)
      }
    }
    isReading = false
  }

  return (key) => {
    const asked = waiting.get(key) ?? Promise.withResolvers<Value | undefined>()
    waiting.set(key, asked)
    if (!isReading) void readWaiting()
    return asked.promise
  }
}
