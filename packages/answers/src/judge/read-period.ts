import { readTime } from '../time-steps.ts'
import type { Token } from '../text/tokens.ts'
import {
  calendarUnitOf,
  isAmbiguousMonth,
  isCurrentWord,
  isLatestWord,
  isEventDay,
  isLastWord,
  monthOf,
  ordinalOf,
  relativeDayOf,
  type Unit,
  weekdayOf,
} from '../words/calendar-words.ts'
import type { Language } from '../words/language.ts'

/** A date or span of time that a text names. Parts that it leaves out are undefined: "December" has no year. */
export interface Period {
  year?: number
  /** 0 to 11. */
  month?: number
  day?: number
  hour?: number
  /** 1 to 4. */
  quarter?: number
  /** 1 or 2. */
  half?: number
  /** By ISO 8601. */
  week?: number
  /** 0 is Sunday. */
  weekday?: number
  /** The week that begins on the day. */
  isWeek?: boolean
  /** Resolved against the time of the answer: "last week". */
  spanMs?: { from: number; to: number }
  /** "The latest month": the last one of the result. */
  latest?: Unit
}

export interface FoundPeriod {
  /** The index after its last token. */
  to: number
  period: Period
}

export interface PeriodOptions {
  now: Date
  language: Language
}

/** Reads the period whose first token is at `at`, if there is one. */
export function readPeriod(tokens: readonly Token[], at: number, options: PeriodOptions): FoundPeriod | undefined {
  const token = tokens[at]!
  if (token.kind === 'number') return readNumeric(tokens, at)
  if (token.kind !== 'word') return undefined
  return readMonth(tokens, at, options) ?? readQuarter(tokens, at) ?? readWeek(tokens, at) ?? readWeekday(tokens, at) ?? readRelative(tokens, at, options)
}

const digits = (token: Token | undefined, length?: number): number | undefined =>
  token?.kind === 'number' && /^\d+$/.test(token.text) && (length === undefined || token.text.length === length) ? Number(token.text) : undefined

const isMark = (token: Token | undefined, ...marks: string[]) => token?.kind === 'mark' && marks.includes(token.text)
const isAttached = (...those: (Token | undefined)[]) => those.every((token) => token && !token.hasGap)

export const isYear = (number: number | undefined): number is number => number !== undefined && number >= 1900 && number <= 2100
const isDay = (number: number | undefined): number is number => number !== undefined && number >= 1 && number <= 31

/** `2025-12-22`, `2025-12`, `2025-Q4`, `22.12.2025`, `22 December 2025`, `2025`. */
function readNumeric(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const [first, mark, second, mark2, third] = tokens.slice(at, at + 5)
  const year = digits(first, 4)
  if (isYear(year) && isMark(mark, '-', '/') && isAttached(mark, second)) {
    const month = digits(second, 2)
    if (month !== undefined && month >= 1 && month <= 12) {
      const day = digits(third, 2)
      if (isMark(mark2, '-', '/') && isAttached(mark2, third) && isDay(day) && isRealDay(year, month - 1, day)) {
        return withTime(tokens, { to: at + 5, period: { year, month: month - 1, day } })
      }
      // A day of the month that does not exist, or a longer number.
      if (isMark(mark2, '-', '/') && isAttached(mark2, third)) return undefined
      return { to: at + 3, period: { year, month: month - 1 } }
    }
    if (second?.fold === 'q' || second?.fold === 'w') return readYearPart(tokens, at + 3, year, second.fold)
  }
  if (isYear(year) && mark?.fold === 'q') return readYearPart(tokens, at + 2, year, 'q')
  const dotted = readDotted(tokens, at)
  if (dotted) return dotted
  const day = digits(first)
  if (isDay(day) && first!.text.length <= 2) {
    let next = at + 1
    if (isMark(tokens[next], '.') || (isAttached(tokens[next]) && /^(st|nd|rd|th|er|º|ª)$/.test(tokens[next]!.fold))) next++
    if (/^(of|de|di)$/.test(tokens[next]?.fold ?? '')) next++
    const month = tokens[next]?.kind === 'word' ? monthOf(tokens[next]!.fold) : undefined
    if (month !== undefined) return withYear(tokens, next + 1, { month, day })
  }
  return isYear(year) ? { to: at + 1, period: { year } } : undefined
}

function readYearPart(tokens: readonly Token[], numberAt: number, year: number, part: 'q' | 'w'): FoundPeriod | undefined {
  const number = digits(tokens[numberAt])
  if (number === undefined || !isAttached(tokens[numberAt])) return undefined
  if (part === 'q') return number >= 1 && number <= 4 ? { to: numberAt + 1, period: { year, quarter: number } } : undefined
  return number >= 1 && number <= 53 ? { to: numberAt + 1, period: { year, week: number } } : undefined
}

/** Day before month, with dots; with slashes only if it cannot be read the other way. */
function readDotted(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const [first, mark, second, mark2, third] = tokens.slice(at, at + 5)
  const [one, two, year] = [digits(first), digits(second), digits(third, 4)]
  if (one === undefined || two === undefined || !isYear(year) || !isAttached(mark, second, mark2, third)) return undefined
  if (isMark(mark, '.') && isMark(mark2, '.')) return dayOf(at, year, two, one)
  if (!isMark(mark, '/') || !isMark(mark2, '/')) return undefined
  if (one > 12 || one === two) return dayOf(at, year, two, one)
  return two > 12 ? dayOf(at, year, one, two) : undefined
}

function dayOf(at: number, year: number, month: number, day: number): FoundPeriod | undefined {
  return month >= 1 && month <= 12 && isRealDay(year, month - 1, day) ? { to: at + 5, period: { year, month: month - 1, day } } : undefined
}

const isRealDay = (year: number, month: number, day: number) => new Date(Date.UTC(year, month, day)).getUTCDate() === day

/** `December`, `December 2025`, `Dec 22`, `December 22nd, 2025`. */
function readMonth(tokens: readonly Token[], at: number, { language }: PeriodOptions): FoundPeriod | undefined {
  const { fold, text } = tokens[at]!
  const month = monthOf(fold)
  if (month === undefined) return undefined
  const isName = /^\p{Lu}/u.test(text)
  if (isAmbiguousMonth(fold) && !isName && (language === 'en' || fold === 'may')) return undefined
  let next = at + 1
  // "Dec." is an abbreviation.
  if (fold.length <= 4 && isMark(tokens[next], '.') && isAttached(tokens[next]) && tokens[next + 1]?.kind === 'number') next++
  const day = digits(tokens[next])
  const isOneDay = isDay(day) && tokens[next]!.text.length <= 2 && tokens[next]!.hasGap && !startsNumber(tokens, next)
  if (!isOneDay) return withYear(tokens, next, { month })
  next++
  if (isAttached(tokens[next]) && /^(st|nd|rd|th)$/.test(tokens[next]!.fold)) next++
  return withYear(tokens, next, { month, day })
}

/** Whether the number at `at` goes on, as in `22.5` or `22%`. */
function startsNumber(tokens: readonly Token[], at: number): boolean {
  const [mark, number] = [tokens[at + 1], tokens[at + 2]]
  if (isMark(mark, '%', '‰')) return true
  return isMark(mark, '.', ',', "'") && isAttached(mark, number) && number?.kind === 'number'
}

function withYear(tokens: readonly Token[], at: number, period: Period): FoundPeriod {
  let next = at
  if (isMark(tokens[next], ',', '.', '/') || /^(of|de|del|do|di|van)$/.test(tokens[next]?.fold ?? '')) next++
  const year = digits(tokens[next], 4)
  if (!isYear(year) || startsNumber(tokens, next) || isDigitAttached(tokens, next)) return { to: at, period }
  return withTime(tokens, { to: next + 1, period: { ...period, year } })
}

const isDigitAttached = (tokens: readonly Token[], at: number) => isAttached(tokens[at + 1]) && tokens[at + 1]!.kind !== 'mark'

/** ` 07:00` or `T07:00` after a day. */
function withTime(tokens: readonly Token[], found: FoundPeriod): FoundPeriod {
  let next = found.to
  if (found.period.day === undefined) return found
  if (tokens[next]?.fold === 't' || tokens[next]?.fold === 'at' || isMark(tokens[next], ',')) next++
  const hour = digits(tokens[next], 2)
  if (hour === undefined || hour > 23 || !isMark(tokens[next + 1], ':') || digits(tokens[next + 2], 2) !== 0) return found
  const isSecond = isMark(tokens[next + 3], ':') && digits(tokens[next + 4], 2) === 0
  return { to: next + (isSecond ? 5 : 3), period: { ...found.period, hour } }
}

/** `Q4`, `Q4 2025`, `fourth quarter of 2025`, `H1 2025`. */
function readQuarter(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const token = tokens[at]!
  const number = digits(tokens[at + 1])
  if (/^[qth]$/.test(token.fold) && number !== undefined && isAttached(tokens[at + 1]) && !isDigitAttached(tokens, at + 1)) {
    if (token.fold === 'h') return number === 1 || number === 2 ? withYear(tokens, at + 2, { half: number }) : undefined
    return number >= 1 && number <= 4 ? withYear(tokens, at + 2, { quarter: number }) : undefined
  }
  const ordinal = ordinalOf(token.fold)
  if (ordinal === undefined) return undefined
  const next = tokens[at + 1]?.fold ?? ''
  if (calendarUnitOf(next) === 'quarter') return withYear(tokens, at + 2, { quarter: ordinal })
  if (/^(half|halbjahr|semestre|halfjaar)$/.test(next) && ordinal <= 2) return withYear(tokens, at + 2, { half: ordinal })
  return undefined
}

/** `week 52`, `W52`, `KW 52`. */
function readWeek(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const { fold } = tokens[at]!
  const number = digits(tokens[at + 1])
  if (number === undefined || number < 1 || number > 53 || isDigitAttached(tokens, at + 1)) return undefined
  const isWeek = fold === 'kw' || (calendarUnitOf(fold) === 'week' && !fold.endsWith('s')) || (fold === 'w' && isAttached(tokens[at + 1]))
  return isWeek ? withYear(tokens, at + 2, { week: number }) : undefined
}

function readWeekday(tokens: readonly Token[], at: number): FoundPeriod | undefined {
  const { fold, text } = tokens[at]!
  const weekday = weekdayOf(fold)
  if (weekday === undefined || (/day/.test(fold) && !/^\p{Lu}/u.test(text)) || isEventDay(tokens[at - 1]?.fold ?? '')) return undefined
  return { to: at + 1, period: { weekday } }
}

const dayMs = 86_400_000

/** `last week`, `le mois dernier`, `yesterday`, `the latest month`. */
function readRelative(tokens: readonly Token[], at: number, { now, language }: PeriodOptions): FoundPeriod | undefined {
  const { fold } = tokens[at]!
  const days = fold === 'hier' && language !== 'fr' ? undefined : relativeDayOf(fold)
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  if (days !== undefined) return { to: at + 1, period: { spanMs: { from: today + days * dayMs, to: today + (days + 1) * dayMs } } }
  const next = tokens[at + 1]?.fold ?? ''
  const [unit, word] = calendarUnitOf(next) ? [calendarUnitOf(next)!, fold] : [calendarUnitOf(fold), next]
  if (unit === undefined || unit === 'hour' || word === '') return undefined
  if (isLatestWord(word)) return { to: at + 2, period: { latest: unit } }
  if (isLastWord(word)) return { to: at + 2, period: { spanMs: spanOf(unit, now, -1) } }
  return isCurrentWord(word) ? { to: at + 2, period: { spanMs: spanOf(unit, now, 0) } } : undefined
}

function spanOf(unit: Exclude<Unit, 'hour'>, now: Date, offset: number): { from: number; to: number } {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const start = (steps: number) => {
    switch (unit) {
      case 'day':
        return Date.UTC(year, month, day + steps)
      case 'week':
        return Date.UTC(year, month, day - ((now.getUTCDay() + 6) % 7) + 7 * steps)
      case 'month':
        return Date.UTC(year, month + steps, 1)
      case 'quarter':
        return Date.UTC(year, (Math.floor(month / 3) + steps) * 3, 1)
      case 'year':
        return Date.UTC(year + steps, 0, 1)
    }
  }
  return { from: start(offset), to: start(offset + 1) }
}

/** Whether a time is in a period; for parts that the period leaves out, any will do. "Latest" is decided by the caller. */
export function isInPeriod(period: Period, ms: number): boolean {
  if (period.isWeek) return [0, 1, 2, 3, 4, 5, 6].some((days) => isInPeriod({ ...period, isWeek: false }, ms - days * dayMs))
  if (period.spanMs) return ms >= period.spanMs.from && ms < period.spanMs.to
  const date = new Date(ms)
  const month = date.getUTCMonth()
  if (period.week !== undefined) {
    const { year, week } = isoWeekOf(ms)
    return week === period.week && (period.year === undefined || period.year === year)
  }
  return (
    (period.year === undefined || date.getUTCFullYear() === period.year) &&
    (period.month === undefined || month === period.month) &&
    (period.day === undefined || date.getUTCDate() === period.day) &&
    (period.hour === undefined || date.getUTCHours() === period.hour) &&
    (period.quarter === undefined || Math.floor(month / 3) + 1 === period.quarter) &&
    (period.half === undefined || Math.floor(month / 6) + 1 === period.half) &&
    (period.weekday === undefined || date.getUTCDay() === period.weekday)
  )
}

function isoWeekOf(ms: number): { year: number; week: number } {
  const weekday = (new Date(ms).getUTCDay() + 6) % 7
  const thursday = ms + (3 - weekday) * dayMs
  const year = new Date(thursday).getUTCFullYear()
  return { year, week: Math.floor((thursday - Date.UTC(year, 0, 1)) / (7 * dayMs)) + 1 }
}

const parts = ['year', 'month', 'day', 'hour', 'quarter', 'half', 'week', 'weekday', 'latest'] as const

/** Whether everything that one period says is also said by the other. */
export function isSaidBy(period: Period, other: Period): boolean {
  if (period.spanMs) return other.spanMs?.from === period.spanMs.from && other.spanMs.to === period.spanMs.to
  return parts.every((part) => period[part] === undefined || period[part] === other[part])
}

/** The period of a date as results and parameters hold it: a day, or the instant's hour. */
export function periodOfValue(value: unknown): Period | undefined {
  const ms = readTime(value)
  if (ms === undefined) return undefined
  const date = new Date(ms)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate(), quarter: Math.floor(date.getUTCMonth() / 3) + 1, weekday: date.getUTCDay() }
}
