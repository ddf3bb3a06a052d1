import type { Pace, RequestBudget } from './request-budget.ts'

/**
 * An endpoint is *silent* if its last request was not answered. The next one needs a new TLS connection, which takes a millisecond or
 * more of the worker's time, and then likely waits for the timeout, too. So a worker sends few requests to all silent endpoints
 * together, one to each at a time. Otherwise it would open hundreds of connections at once whenever the requests of many endpoints time
 * out, and answering endpoints would wait.
 *
 * One answer ends the silence of an endpoint.
 */
export const silentPace: Pace = { atOnce: 16, perSecond: 32 }

/** Which silent endpoints get a request: those that have waited the longest. */
export function chooseSilent<Lane extends { usedMs: number }>(lanes: readonly Lane[], { requests }: RequestBudget): Lane[] {
  const count = Math.max(0, Math.floor(requests))
  return count === 0 ? [] : lanes.toSorted((a, b) => a.usedMs - b.usedMs).slice(0, count)
}
