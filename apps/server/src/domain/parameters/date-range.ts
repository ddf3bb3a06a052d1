import { addDays, addMonths, canonicalDate, daysBetween, weekdayOf } from './calendar.ts'

/**
 * Date ranges as text. A range is *fixed*, or *relative* to the day it is resolved on, *today*. Weeks begin on Monday (ISO 8601).
 *
 *     today | yesterday
 *     last N days | weeks | months | quarters | years       the N complete ones before the current one
 *     next N days | weeks | months | quarters | years       the N complete ones after the current one
 *     this | previous week | month | quarter | year         all of it
 *     this month to date                                    from its first day until today
 *     previous month to date                                from its first day until the same day of it
 *     since 2026-01-01                                      until today, or that day alone while it is in the future
 *     2026-01-01..2026-03-31
 *
 * Case and additional spaces do not matter; `last 1 day` may be singular. N is at most 1,000. On November 16, `last 30 days` is October
 * 17 to November 15: today is not over, so it would make the range look worse than it is.
 */
export interface DateRange {
  /** The first and the last day, both inclusive, as `YYYY-MM-DD`; never `start` after `end`. */
  start: string
  end: string
}

export type RangeUnit = 'day' | 'week' | 'month' | 'quarter' | 'year'

type ParsedRange =
  | { kind: 'fixed'; start: string; end: string }
  | { kind: 'since'; start: string }
  /** `count` units, of which the first is `offset` units after the current one; up to the same day as today if `isToDate`. */
  | { kind: 'units'; unit: RangeUnit; offset: number; count: number; isToDate: boolean }

const countMax = 1000
const lastOrNext = /^(last|next) 0*([1-9][0-9]{0,3}) (day|week|month|quarter|year)s?$/
const thisOrPrevious = /^(this|previous) (week|month|quarter|year)( to date)?$/

/** The range in its canonical form, or undefined if it is not a range. */
export function canonicalDateRange(text: string): string | undefined {
  const words = normalize(text)
  const range = parse(words)
  if (range === undefined) return undefined
  if (range.kind === 'fixed') return `${range.start}..${range.end}`
  const counted = lastOrNext.exec(words)
  if (counted === null) return words
  const [, side, , unit] = counted
  return range.kind === 'units' ? `${side} ${range.count} ${unit}${range.count === 1 ? '' : 's'}` : words
}

/** The days that a range means on a day, or undefined if the text is not a range. */
export function resolveDateRange(text: string, today: string): DateRange | undefined {
  const range = parse(normalize(text))
  return range && resolve(range, today)
}

/**
 * The period before a range, to compare it with: the units before for a relative range, the same number of months before for whole
 * months, else the same number of days before. A range to date is compared with the same part of the period before.
 */
export function previousPeriod(text: string, today: string): DateRange | undefined {
  const range = parse(normalize(text))
  if (range === undefined) return undefined
  if (range.kind === 'units') return resolve({ ...range, offset: range.offset - range.count }, today)
  const current = resolve(range, today)
  return current && periodBefore(current)
}

/** Whether the range means other days tomorrow. */
export function isRelativeRange(text: string): boolean {
  const range = parse(normalize(text))
  return range !== undefined && range.kind !== 'fixed'
}

/** The day of a moment in UTC. */
export const dayOf = (moment: Date) => moment.toISOString().slice(0, 10)

const normalize = (text: string) => text.trim().toLowerCase().replaceAll(/\s+/g, ' ')

function parse(text: string): ParsedRange | undefined {
  if (text === 'today') return { kind: 'units', unit: 'day', offset: 0, count: 1, isToDate: false }
  if (text === 'yesterday') return { kind: 'units', unit: 'day', offset: -1, count: 1, isToDate: false }
  const counted = lastOrNext.exec(text)
  if (counted) {
    const count = Number(counted[2])
    if (count > countMax) return undefined
    const offset = counted[1] === 'last' ? -count : 1
    return { kind: 'units', unit: counted[3] as RangeUnit, offset, count, isToDate: false }
  }
  const named = thisOrPrevious.exec(text)
  if (named) {
    const offset = named[1] === 'this' ? 0 : -1
    return { kind: 'units', unit: named[2] as RangeUnit, offset, count: 1, isToDate: named[3] !== undefined }
  }
  if (text.startsWith('since ')) {
    const start = canonicalDate(text.slice(6))
    return start === undefined ? undefined : { kind: 'since', start }
  }
  const [start, end, ...others] = text.split('..').map((date) => canonicalDate(date.trim()))
  if (start === undefined || end === undefined || others.length > 0 || start > end) return undefined
  return { kind: 'fixed', start, end }
}

function resolve(range: ParsedRange, today: string): DateRange | undefined {
  if (range.kind === 'fixed') return { start: range.start, end: range.end }
  if (range.kind === 'since') return { start: range.start, end: range.start > today ? range.start : today }
  const { unit, offset, count, isToDate } = range
  const current = startOf(unit, today)
  const start = shift(current, unit, offset)
  const next = shift(current, unit, offset + count)
  const end = isToDate ? shift(today, unit, offset) : next && addDays(next, -1)
  return start === undefined || end === undefined ? undefined : { start, end }
}

function startOf(unit: RangeUnit, day: string): string {
  switch (unit) {
    case 'day':
      return day
    case 'week':
      return addDays(day, -weekdayOf(day)) ?? day
    case 'month':
      return `${day.slice(0, 8)}01`
    case 'quarter':
      return `${day.slice(0, 5)}${String(Math.floor((Number(day.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
    default:
      return `${day.slice(0, 5)}01-01`
  }
}

const monthsOf = { month: 1, quarter: 3, year: 12 } as const

function shift(day: string, unit: RangeUnit, count: number): string | undefined {
  if (unit === 'day') return addDays(day, count)
  return unit === 'week' ? addDays(day, count * 7) : addMonths(day, count * monthsOf[unit])
}

function periodBefore({ start, end }: DateRange): DateRange | undefined {
  const after = addDays(end, 1)
  const months = after === undefined ? 0 : monthsBetween(start, after)
  const isWholeMonths = start.endsWith('-01') && after?.endsWith('-01') === true
  const before = isWholeMonths ? addMonths(start, -months) : addDays(start, -(daysBetween(start, end) + 1))
  const last = addDays(start, -1)
  return before === undefined || last === undefined ? undefined : { start: before, end: last }
}

const monthsBetween = (start: string, end: string) =>
  (Number(end.slice(0, 4)) - Number(start.slice(0, 4))) * 12 + Number(end.slice(5, 7)) - Number(start.slice(5, 7))
