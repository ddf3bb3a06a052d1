import { timeOf } from '../fields.ts'

/**
 * Labels for moments, as short as possible for all of them: months without a day, days without a time. In UTC, like the results
 * themselves.
 */
export function timeLabels(values: readonly unknown[], locale?: string): (value: unknown) => string {
  const format = timeFormat(values.map(timeOf).filter((time) => time !== null), locale)
  return (value) => {
    const time = typeof value === 'number' ? value : timeOf(value)
    return time === null ? String(value) : format.format(time)
  }
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const dayMs = 86_400_000
const minuteMs = 60_000

function timeFormat(times: number[], locale?: string): Intl.DateTimeFormat {
  const options = (): Intl.DateTimeFormatOptions => {
    if (!times.every((time) => time % dayMs === 0)) {
      return times.every((time) => time % minuteMs === 0) ? minute : { ...minute, second: '2-digit' }
    }
    const all = (matches: (date: Date) => boolean) => times.every((time) => matches(new Date(time)))
    if (!all((date) => date.getUTCDate() === 1)) return day
    // A single January may be a month as well as a year.
    if (times.length > 1 && all((date) => date.getUTCMonth() === 0)) return { year: 'numeric' }
    return { year: 'numeric', month: 'short' }
  }
  return new Intl.DateTimeFormat(locale, { ...options(), timeZone: 'UTC' })
}
