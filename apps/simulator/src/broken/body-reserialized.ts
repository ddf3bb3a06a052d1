import type { BrokenEngine } from './broken-engine.ts'

/** Stores the body as jsonb: the same data in other bytes. */
export const bodyReserialized: BrokenEngine = {
  name: 'body re-serialized',
  noticedBy: [3],
  spoil: (deps) => ({
    ...deps,
    deliveries: {
      ...deps.deliveries,
      async claim(options) {
        const claim = await deps.deliveries.claim(options)
        for (const delivery of claim.deliveries) delivery.body = asJsonb(delivery.body)
        return claim
      },
    },
  }),
}

/** Sorts keys by length, then alphabetically, like PostgreSQL. */
function asJsonb(body: string): string {
  const envelope = JSON.parse(body) as Record<string, unknown>
  const keys = Object.keys(envelope).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, envelope[key]])))
}
