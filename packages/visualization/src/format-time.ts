import type { CellFormatter } from './cell-formatter.ts'
import type { Granularity } from './column-settings.ts'
import { type Field, textOf, timeOf } from './fields.ts'

const dayMs = 86_400_000

/** Times in UTC, like the results themselves: as chosen, or as short as the column's values allow. */
export function timeFormatter(
  field: Field,
  values: readonly unknown[],
  granularity: Granularity | undefined,
  locale: string | undefined,
): CellFormatter {
  const shown = granularity ?? detectPeriods(field, values)
  if (shown === 'exact') return (value) => textOf(field, value)
  if (shown === 'date') return (value) => textOf(field, value)?.replace(/ 00:00:00$/, '') ?? null
  const label = periodLabels(shown, locale)
  return (value) => {
    const time = timeOf(value)
    return time === null ? textOf(field, value) : label(time)
  }
}

/** The period that starts at a time, in milliseconds since 1970. */
export function periodLabels(granularity: Granularity, locale?: string): (timeMs: number) => string {
  const format = new Intl.DateTimeFormat(locale, { ...partsOf[granularity], timeZone: 'UTC' })
  if (granularity === 'quarter') return (time) => `Q${Math.floor(new Date(time).getUTCMonth() / 3) + 1} ${format.format(time)}`
  if (granularity === 'week') return (time) => `Week of ${format.format(mondayOf(time))}`
  return (time) => format.format(time)
}

const year = { year: 'numeric' } as const
const month = { ...year, month: 'short' } as const
const day = { ...month, day: 'numeric' } as const
const minute = { ...day, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const partsOf: { [granularity in Granularity]: Intl.DateTimeFormatOptions } = {
  year,
  quarter: year,
  month,
  week: day,
  day,
  // An hour alone would read as a day of the month in many languages.
  hour: minute,
  minute,
  second: { ...minute, second: '2-digit' },
}

function mondayOf(timeMs: number): number {
  const daysSinceMonday = (new Date(timeMs).getUTCDay() + 6) % 7
  return Math.floor(timeMs / dayMs) * dayMs - daysSinceMonday * dayMs
}

/** A few first days of a month are dates; many of them are months. A column's name may say so already. */
const fewestPeriods = 3
const named = ['week', 'month', 'quarter', 'year'] as const

/** The periods that a column's times stand for; `date` if they only have no time of day. */
export function detectPeriods(
  { name }: Pick<Field, 'name'>,
  values: readonly unknown[],
): 'year' | 'quarter' | 'month' | 'week' | 'date' | 'exact' {
  const starts = new Set<number>()
  for (const value of values) {
    const time = timeOf(value)
    if (time === null) continue
    if (time % dayMs !== 0) return 'exact'
    starts.add(time)
  }
  if (starts.size === 0) return 'date'
  const hint = named.find((word) => new RegExp(`(^|[^a-z])${word}([^a-z]|$)`, 'i').test(name))
  const dates = [...starts].map((time) => new Date(time))
  if (hint === 'week') return dates.every((date) => date.getUTCDay() === 1) ? 'week' : 'date'
  if (!dates.every((date) => date.getUTCDate() === 1)) return 'date'
  const areStartsOf = (months: number) => dates.every((date) => date.getUTCMonth() % months === 0)
  if (hint === 'quarter' && areStartsOf(3)) return 'quarter'
  if (hint === 'year' && areStartsOf(12)) return 'year'
  if (hint === 'month') return 'month'
  if (starts.size < fewestPeriods) return 'date'
  if (areStartsOf(12)) return 'year'
  return areStartsOf(3) ? 'quarter' : 'month'
}
