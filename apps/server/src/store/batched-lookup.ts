import { yieldToEventLoop } from '../ports/yield-to-event-loop.ts'
import { rememberedValues } from './remembered-values.ts'

/**
 * Lookups by key that every request makes: whose key is this, which reference has this short id. They must be cheap under
 * load and never stale: a key revoked a moment ago is refused at once, in every process.
 *
 * - Lookups that wait at the same time share one statement. While one is on its way those that come gather, and leave
 *   together when it is back, so a thousand requests cost a handful of statements.
 * - A *moment* names the state of the whole database (see `moments.ts`). A value is remembered with the moment of the
 *   statement that read it, and used again while the database is still at that very moment: no transaction has committed
 *   since, so reading again would give the same. The moment is asked from the database after the lookup was asked for.
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

/**
 * What one lookup remembers at most. A query may have 256 KiB of SQL, and as much again in each of its latest runs, so
 * a limit by count alone would be one of gigabytes.
 */
export const rememberedMaxBytes = 32 * 1024 * 1024

/** Values, and the moment of the statement that read them (unknown where it found no row). */
export interface ReadAtMoment<Key, Value> {
  moment: string | undefined
  values: Map<Key, Value>
}

/**
 * A batched lookup that remembers what it read for as long as the database does not change.
 *
 * While nothing changes, a request only asks for the moment. While much changes that would be a question too many, so after
 * a change it reads at once, until two readings of a key have found the database at the same moment.
 */
export function rememberedLookup<Key, Value>(options: {
  read(keys: Key[]): Promise<ReadAtMoment<Key, Value>>
  moment(): Promise<string>
  maxBytes?: number
}): Lookup<Key, Value> {
  const lookup = batchedLookup<Key, { moment: string | undefined; value: Value }>({
    async read(keys) {
      const { moment, values } = await options.read(keys)
      return new Map([...values].map(([key, value]) => [key, { moment, value }]))
    },
  })
  const { maxBytes = rememberedMaxBytes } = options
  const remembered = rememberedValues<Key, { moment: string | undefined; value: Value }>({ maxBytes })
  let isChanging = true
  return async (key) => {
    const known = remembered.get(key)
    if (known && !isChanging) {
      if (known.moment === (await options.moment())) return known.value
      isChanging = true
    }
    const read = await lookup(key)
    if (known && read && known.moment === read.moment) isChanging = false
    if (read) remembered.set(key, read)
    else remembered.delete(key)
    return read?.value
  }
}
