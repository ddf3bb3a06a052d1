import type { AuditFilter } from '../../api/audit-log.ts'

/** The filters as they stand in the address; what is empty is not asked for. */
export interface LogChoice {
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

export function readChoice(search: URLSearchParams): LogChoice {
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

/** A period begins at a minute, so that the same page asked for twice in a moment is the same. */
export function filterOf({ actor, action, subject, period, search }: LogChoice, nowMs: number): AuditFilter {
  const days = periods.find(({ name }) => name === period)?.days ?? null
  const beginMs = Math.floor(nowMs / minuteMs) * minuteMs - (days ?? 0) * 24 * 60 * minuteMs
  return {
    ...(actor !== '' && { actor }),
    ...(action !== '' && { action }),
    ...(subject !== '' && { subject }),
    ...(search !== '' && { search }),
    ...(days !== null && { from: new Date(beginMs).toISOString() }),
  }
}

export const noChoice: LogChoice = { actor: '', action: '', subject: '', period: '', search: '' }

export const isFiltered = (choice: LogChoice) => Object.values(choice).some((value) => value !== '')
