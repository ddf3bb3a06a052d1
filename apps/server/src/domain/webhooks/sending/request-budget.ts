/** How many requests may begin at once, and how many a second over time. */
export interface Pace {
  atOnce: number
  perSecond: number
}

export interface RequestBudget {
  /** How many requests may begin now. */
  requests: number
  atMs: number
}

export const fullBudget = ({ atOnce }: Pace): RequestBudget => ({ requests: atOnce, atMs: 0 })

export function renewBudget({ requests, atMs }: RequestBudget, { atOnce, perSecond }: Pace, nowMs: number): RequestBudget {
  const newRequests = ((nowMs - atMs) * perSecond) / 1000
  return { requests: Math.min(atOnce, requests + newRequests), atMs: nowMs }
}

export const spendBudget = ({ requests, atMs }: RequestBudget, count: number): RequestBudget => ({ requests: requests - count, atMs })

/** How long until a request may begin. */
export const waitForBudgetMs = ({ requests }: RequestBudget, { perSecond }: Pace): number => Math.max(0, ((1 - requests) * 1000) / perSecond)
