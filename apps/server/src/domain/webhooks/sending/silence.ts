/**
 * An endpoint is *silent* if its last request was not answered. The next one needs a new TLS connection, which takes a millisecond or
 * more of the worker's time, and then likely waits for the timeout, too. So a worker sends few requests to all silent endpoints
 * together, one to each at a time. Otherwise it would open hundreds of connections at once whenever the requests of many endpoints time
 * out, and answering endpoints would wait.
 *
 * One answer ends the silence of an endpoint.
 */
export interface SilenceBudget {
  /** How many requests may begin now. */
  requests: number
  atMs: number
}

/** How many requests begin at once at most. They delay others by some hundredths of a second. */
export const silentAtOnce = 16
export const silentPerSecond = 32

export const silenceBudgetAtFirst: SilenceBudget = { requests: silentAtOnce, atMs: 0 }

export function renewSilenceBudget({ requests, atMs }: SilenceBudget, nowMs: number): SilenceBudget {
  const newRequests = ((nowMs - atMs) * silentPerSecond) / 1000
  return { requests: Math.min(silentAtOnce, requests + newRequests), atMs: nowMs }
}

export const spendSilenceBudget = ({ requests, atMs }: SilenceBudget, count: number): SilenceBudget => ({ requests: requests - count, atMs })

/** Which silent endpoints get a request: those that have waited the longest. */
export function chooseSilent<Lane extends { usedMs: number }>(lanes: readonly Lane[], { requests }: SilenceBudget): Lane[] {
  const count = Math.max(0, Math.floor(requests))
  return count === 0 ? [] : lanes.toSorted((a, b) => a.usedMs - b.usedMs).slice(0, count)
}
