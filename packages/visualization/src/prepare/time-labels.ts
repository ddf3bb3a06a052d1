import { timeOf } from '../fields.ts'

/**
 * Labels for moments, as short as possible for all of them: months without a day, days without a time. In UTC, like the results
 * themselves.
 */
export function timeLabels(values: readonly unknown[], locale?: string): (value: unknown) => string {
  const format = new Intl.DateTimeFormat(locale, { ...partsFor(values), timeZone: 'UTC' })
  return (value) => {
    const time = typeof value === 'number' ? value : timeOf(value)
    return time === null ? String(value) : format.format(time)
  }
}

const day = { year: 'numeric', month: 'short', day: 'numeric' } as const
const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const dayMs = 86_400_000
const minuteMs = 60_000

/** The parts of a time that tell the values apart. Values that are no times don't matter. */
function partsFor(values: readonly unknown[]): Intl.DateTimeFormatOptions {
  const all = (matches: (timeMs: number) => boolean) =>
    values.every((value) => {
      const time = timeOf(value)
      return time === null || matches(time)
    })
  if (!all((time) => time % dayMs === 0)) {
    const areMinutes = values.every((value) => isWrittenAsMinute(value) || ((timeOf(value) ?? 0) % minuteMs === 0))
    return areMinutes ? minute : { ...minute, second: '2-digit' }
  }
  if (!all((time) => new Date(time).getUTCDate() === 1)) return day
  // A single January may be a month as well as a year.
  const hasSeveral = values.filter((value) => timeOf(value) !== null).length > 1
  return hasSeveral && all((time) => new Date(time).getUTCMonth() === 0) ? { year: 'numeric' } : { year: 'numeric', month: 'short' }
}

/** Most timestamps are written like `2025-01-31T09:30:00Z`. Comparing their last characters is faster than reading them. */
const isWrittenAsMinute = (value: unknown) => typeof value === 'string' && value.length === 20 && value.endsWith(':00Z')
