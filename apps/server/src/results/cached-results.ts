import { byteCache } from './byte-cache.ts'
import { encodingOf } from './encodings.ts'
import type { ResultStore, StoredResult } from './result-store.ts'

const cacheBytes = 64 * 1024 * 1024

/**
 * Caches small results in memory, wherever they are stored, and reads each one once for all concurrent readers. A result that
 * another process removes stays in the cache until it is evicted, so callers must check first that the result still exists.
 */
export function cachedResults(results: ResultStore): ResultStore {
  const cache = byteCache({ maxBytes: cacheBytes })
  const opening = new Map<string, Promise<StoredResult | undefined>>()

  async function openOnce(runId: string): Promise<StoredResult | undefined> {
    const inFlight = opening.get(runId)
    if (inFlight) {
      const shared = await inFlight
      // A stream has only one reader.
      return shared === undefined || Buffer.isBuffer(shared.bytes) ? shared : results.open(runId)
    }
    const mine = results.open(runId)
    opening.set(runId, mine)
    try {
      const opened = await mine
      // Do not cache a result that was removed while it was being read.
      if (opened && Buffer.isBuffer(opened.bytes) && opening.get(runId) === mine) cache.set(runId, opened.bytes)
      return opened
    } finally {
      if (opening.get(runId) === mine) opening.delete(runId)
    }
  }

  function forget(runId: string): void {
    opening.delete(runId)
    cache.delete(runId)
  }

  return {
    write: (options) => results.write(options),
    async open(runId) {
      const cached = cache.get(runId)
      return cached ? { sizeBytes: cached.length, encoding: encodingOf(cached), bytes: cached } : openOnce(runId)
    },
    async remove(runId) {
      await results.remove(runId)
      forget(runId)
    },
    async removeAll(runIds) {
      await results.removeAll(runIds)
      runIds.forEach(forget)
    },
    sweep: (options) => results.sweep(options),
  }
}
