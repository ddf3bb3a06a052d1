import { deliveryStates, type LogFilter } from '../../api/deliveries.ts'
import { eventTypes } from '../../api/webhook-endpoints.ts'

/** The filters of the log as in the URL. An unknown value is read as empty. */
export interface LogFilterParams {
  state: string
  type: string
  period: string
  search: string
}

export const periods = [
  { name: '', label: 'Any time', hours: null },
  { name: 'hour', label: 'Last hour', hours: 1 },
  { name: 'day', label: 'Last 24 hours', hours: 24 },
  { name: 'week', label: 'Last 7 days', hours: 7 * 24 },
  { name: 'month', label: 'Last 28 days', hours: 28 * 24 },
] as const

export function readLogFilterParams(search: URLSearchParams): LogFilterParams {
  const known = (name: string, values: readonly string[]) => {
    const value = search.get(name) ?? ''
    return values.includes(value) ? value : ''
  }
  return {
    state: known('state', deliveryStates),
    type: known('type', eventTypes),
    period: known('period', periods.map(({ name }) => name)),
    search: (search.get('search') ?? '').trim().slice(0, 100),
  }
}

const minuteMs = 60_000

/** The start of a period, rounded down to the minute so that repeated requests share a cache entry. */
export function startOfPeriod(period: string, nowMs: number): string | undefined {
  const hours = periods.find(({ name }) => name === period)?.hours ?? null
  if (hours === null) return undefined
  return new Date(Math.floor(nowMs / minuteMs) * minuteMs - hours * 60 * minuteMs).toISOString()
}

export function toLogFilter({ state, type, period, search }: LogFilterParams, nowMs: number): LogFilter {
  const from = startOfPeriod(period, nowMs)
  return {
    ...(state !== '' && { state: state as NonNullable<LogFilter['state']> }),
    ...(type !== '' && { eventType: type as NonNullable<LogFilter['eventType']> }),
    ...(from !== undefined && { from }),
    ...(search !== '' && { search }),
  }
}

export const isFiltered = ({ state, type, period, search }: LogFilterParams) => [state, type, period, search].some((value) => value !== '')
