import type { AuditFilter } from '../../api/audit-log.ts'

/** The filters as in the URL. An empty value does not filter. */
export interface AuditFilterParams {
  actor: string
  action: string
  subject: string
  period: string
  search: string
}

export const periods = [
  { name: '', label: 'Any time', days: null },
  { name: 'day', label: 'Last 24 hours', days: 1 },
  { name: 'week', label: 'Last 7 days', days: 7 },
  { name: 'month', label: 'Last 30 days', days: 30 },
  { name: 'quarter', label: 'Last 90 days', days: 90 },
] as const

export function readAuditFilterParams(search: URLSearchParams): AuditFilterParams {
  const text = (name: string) => (search.get(name) ?? '').trim().slice(0, 100)
  const period = text('period')
  return {
    actor: text('actor'),
    action: text('action'),
    subject: text('subject'),
    period: periods.some(({ name }) => name === period) ? period : '',
    search: text('search'),
  }
}

const minuteMs = 60_000

/** The start of the period is rounded down to the minute, so that repeated requests share a cache entry. */
export function toAuditFilter({ actor, action, subject, period, search }: AuditFilterParams, nowMs: number): AuditFilter {
  const days = periods.find(({ name }) => name === period)?.days ?? null
  const startMs = Math.floor(nowMs / minuteMs) * minuteMs - (days ?? 0) * 24 * 60 * minuteMs
  return {
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(subject !== '' && { subject }),
    ...(search !== '' && { search }),
    ...(days !== null && { from: new Date(startMs).toISOString() }),
  }
}

export const noAuditFilters: AuditFilterParams = { actor: '', action: '', subject: '', period: '', search: '' }

export const isFiltered = (choice: AuditFilterParams) => Object.values(choice).some((value) => value !== '')
