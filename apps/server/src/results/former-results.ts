import type { ResultStore } from './result-store.ts'

/**
 * Writes to one store and still reads from those used before, so that changing the setting loses no results. A result in a
 * former store stays there until it expires and is removed there.
 */
export function withFormerResults(results: ResultStore, former: ResultStore[]): ResultStore {
  const all = [results, ...former]
  return {
    write: (options) => results.write(options),
    async open(runId) {
      for (const each of all) {
        const opened = await each.open(runId)
        if (opened) return opened
      }
      return undefined
    },
    async remove(runId) {
      for (const each of all) await each.remove(runId)
    },
    async removeAll(runIds) {
      for (const each of all) await each.removeAll(runIds)
    },
    async sweep(options) {
      const swept = { removed: 0, hasMore: false }
      for (const each of all) {
        const { removed, hasMore } = await each.sweep(options)
        swept.removed += removed
        swept.hasMore ||= hasMore
      }
      return swept
    },
  }
}
