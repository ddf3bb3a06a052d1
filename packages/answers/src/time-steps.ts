/**
 * A *period* is a span of time that a series has one figure for: an hour, a day, a week, … It is named by its start, as the result
 * holds it. All periods of a series have the same *step*, which is inferred from their starts.
 */
export const steps = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const
export type Step = (typeof steps)[number]

const hourMs = 3600_000
const dayMs = 24 * hourMs

/** Milliseconds since 1970 of a date or timestamp as results hold it; undefined for anything else. */
export function readTime(value: unknown): number | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(T[\d:.]+Z?)?$/.test(value)) return undefined
  const ms = Date.parse(value.length === 10 || value.endsWith('Z') ? value : `${value}Z`)
  return Number.isNaN(ms) ? undefined : ms
}

/** The step of periods that start at these times; undefined if any does not start on the hour, as is typical of events. */
export function stepOf(beginnings: number[]): Step | undefined {
  const sorted = [...new Set(beginnings)].sort((a, b) => a - b)
  if (sorted.some((ms) => ms % hourMs !== 0)) return undefined
  if (sorted.some((ms) => ms % dayMs !== 0)) return 'hour'
  if (sorted.every((ms) => new Date(ms).getUTCDate() === 1)) return monthlyStep(sorted.map(monthOf))
  const isWeekly = sorted.every((ms) => (ms - sorted[0]!) % (7 * dayMs) === 0)
  return isWeekly && sorted.length > 1 ? 'week' : 'day'
}

const monthOf = (ms: number) => new Date(ms).getUTCFullYear() * 12 + new Date(ms).getUTCMonth()

function monthlyStep(months: number[]): Step {
  const isEvery = (count: number) => months.length > 1 && months.every((month) => (month - months[0]!) % count === 0)
  if (isEvery(12)) return 'year'
  return isEvery(3) ? 'quarter' : 'month'
}

const monthsIn = { month: 1, quarter: 3, year: 12 }
const msIn = { hour: hourMs, day: dayMs, week: 7 * dayMs }

/** When the period that starts here ends and the next one starts. */
export function endOf(beginMs: number, step: Step): number {
  if (step === 'hour' || step === 'day' || step === 'week') return beginMs + msIn[step]
  const month = monthOf(beginMs) + monthsIn[step]
  return Date.UTC(Math.floor(month / 12), month % 12, 1)
}
