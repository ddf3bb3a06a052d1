/**
 * Lookups by key that every request makes: whose key is this, which reference has this short id. They must be cheap under
 * load and never stale: a key revoked a moment ago is refused at once, in every process.
 *
 * - Lookups that wait at the same time share one statement. While one is on its way those that come gather, and leave
 *   together when it is back, so a thousand requests cost a handful of statements.
 * - A *moment* names the state of the whole database (see `moments.ts`). A value that was read at or after a moment is
 *   remembered under it, and used again while the database is still at that very moment: no transaction has committed
 *   since, so reading again would give the same. The moment itself is read from the database after the lookup was asked for.
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
      await new Promise((resolve) => setImmediate(resolve))
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

const rememberedValues = 10_000

/** A batched lookup that remembers what it read for as long as the database does not change. */
export function rememberedLookup<Key, Value>(
  options: LookupOptions<Key, Value> & { moment(): Promise<string> },
): Lookup<Key, Value> {
  const lookup = batchedLookup(options)
  const remembered = new Map<Key, { moment: string; value: Value }>()
  return async (key) => {
    const moment = await options.moment()
    const known = remembered.get(key)
    if (known?.moment === moment) return known.value
    const value = await lookup(key)
    remembered.delete(key)
    if (value === undefined) return undefined
    // A value read after the moment may be newer than it. Then the database has left that moment for good, and the value
    // will not be used again.
    remembered.set(key, { moment, value })
    if (remembered.size > rememberedValues) remembered.delete(remembered.keys().next().value!)
    return value
  }
}
