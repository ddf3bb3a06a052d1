import type { EndpointHealth } from '../../api/webhook-endpoints.ts'

/**
 * Which share of what was tried has arrived; null when nothing was. What failed and will be tried again counts as not arrived: an
 * endpoint that is down is seen at once, not when its first event gives up.
 */
export function successRate(counts: Pick<EndpointHealth, 'delivered' | 'retrying' | 'exhausted'>): number | null {
  const tried = counts.delivered + counts.retrying + counts.exhausted
  return tried === 0 ? null : counts.delivered / tried
}

/** Only what is whole is called 100 %: 99.96 % is not. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1000) / 10
  return `${Number.isInteger(tenths) ? tenths : tenths.toFixed(1)} %`
}

export type Condition = 'good' | 'warning' | 'danger' | 'none'

export function conditionOf(rate: number | null): Condition {
  if (rate === null) return 'none'
  if (rate >= 0.99) return 'good'
  return rate >= 0.9 ? 'warning' : 'danger'
}

export function milliseconds(ms: number): string {
  if (ms < 1) return '< 1 ms'
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}

export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** The service counts held events up to 1,000. */
export const heldWords = (count: number) => (count >= 1000 ? '1,000 or more' : count.toLocaleString('en'))
