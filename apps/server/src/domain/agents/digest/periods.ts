import { endOf, type Step } from '@querypost/answers'

const dayMs = 24 * 3600_000

/**
 * Whether the whole period has passed and is in the result. It is incomplete until the clock has passed its end, or if one of the
 * query's date parameters falls inside it and so cuts it off.
 */
export function isComplete(period: { beginMs: number; step: Step }, world: { nowMs: number; cutDates: number[] }): boolean {
  const endMs = endOf(period.beginMs, period.step)
  const isCut = world.cutDates.some((ms) => ms > period.beginMs && ms < endMs - dayMs)
  return endMs <= world.nowMs && !isCut
}

/** As used in a sentence: "in the week of 2025-12-22". */
export function inPeriod(begin: string, step: Step): string {
  if (step === 'day') return `on ${begin.slice(0, 10)}`
  if (step === 'hour') return `in the hour from ${begin.slice(0, 16).replace('T', ' ')} UTC`
  return `in ${periodName(begin, step)}`
}

const monthNames = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** "the week of 2025-12-22", "December 2025", "2025". */
export function periodName(begin: string, step: Step): string {
  const day = begin.slice(0, 10)
  switch (step) {
    case 'hour':
      return `${begin.slice(0, 16).replace('T', ' ')} UTC`
    case 'day':
      return day
    case 'week':
      return `the week of ${day}`
    case 'month':
      // A month that does not start on the first is named by its first day.
      return day.endsWith('-01') ? monthNames.format(new Date(`${day}T00:00Z`)) : `the month from ${day}`
    case 'quarter':
      return `the quarter from ${day}`
    case 'year':
      // A year that does not start in January is named by its first day.
      return day.endsWith('-01-01') ? day.slice(0, 4) : `the year from ${day}`
  }
}
