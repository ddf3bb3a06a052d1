import type { EndpointHealth } from '../../api/webhook-endpoints.ts'

/**
 * The share of attempted deliveries that succeeded, or null if there were none. A delivery that is being retried counts as failed,
 * so an endpoint that is down is visible at once and not only after the last attempt.
 */
export function successRate(counts: Pick<EndpointHealth, 'delivered' | 'retrying' | 'exhausted'>): number | null {
  const tried = counts.delivered + counts.retrying + counts.exhausted
  return tried === 0 ? null : counts.delivered / tried
}

/** Rounds down, so that 99.96% doesn't look like 100%. */
export function formatPercent(share: number): string {
  const tenths = Math.floor(share * 1000) / 10
  return `${Number.isInteger(tenths) ? tenths : tenths.toFixed(1)}%`
}

export type HealthLevel = 'good' | 'warning' | 'danger' | 'none'

export function healthLevel(rate: number | null): HealthLevel {
  if (rate === null) return 'none'
  if (rate >= 0.99) return 'good'
  return rate >= 0.9 ? 'warning' : 'danger'
}

export function formatMs(ms: number): string {
  if (ms < 1) return '< 1 ms'
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** The service counts held events up to 1,000 only. */
export const formatHeldCount = (count: number) => (count >= 1000 ? '1,000 or more' : count.toLocaleString('en'))
