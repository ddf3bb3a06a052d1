import type { BrokenEngine } from './broken-engine.ts'

/** The body was kept as jsonb: the same data in other bytes. */
export const bodyReserialised: BrokenEngine = {
  name: 'body re-serialised',
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

/** Keys by length, then by letters, as PostgreSQL orders them. */
function asJsonb(body: string): string {
  const envelope = JSON.parse(body) as Record<string, unknown>
  const keys = Object.keys(envelope).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(keys.map((key) => [key, envelope[key]])))
}
