/**
 * Lookups that wait at the same time share one statement: while one is on its way, those that come gather, and go out
 * together when it is back. Every answer was read after it was asked for, so unlike a cache this is never stale (a key
 * revoked a moment ago is refused at once), and under load a thousand requests cost a handful of statements.
 */
export function batchedLookup<Key, Value>(options: {
  /** Reads all the keys in one statement; keys without a row are missing from the map. */
  read(keys: Key[]): Promise<Map<Key, Value>>
  maxKeys?: number
}): (key: Key) => Promise<Value | undefined> {
  const maxKeys = options.maxKeys ?? 500
  let waiting = new Map<Key, PromiseWithResolvers<Value | undefined>>()
  let isReading = false

  async function readWaiting() {
    isReading = true
    while (waiting.size > 0) {
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
