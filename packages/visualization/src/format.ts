import { type Field, isNumeric, isTime, textOf, timeOf } from './fields.ts'

/**
 * Values as people read them, in tables, single numbers, charts and chats: thousands separators, `%` where the name of the column
 * says so, dates without a time of day where none has one, months as `Mar 2025`. Nothing here changes the data: copies and
 * downloads stay exact.
 */
export type ColumnFormat = (value: unknown) => string | null

/** The formats of all columns. Those of times depend on all their values, so that a column is written in one way. */
export function columnFormats(
  fields: readonly Field[],
  rows: readonly (readonly unknown[])[],
  locale?: string,
): ColumnFormat[] {
  return fields.map((field, at) => columnFormat(field, isTime(field) ? rows.map((row) => row[at]) : [], locale))
}

/** `values` are needed for times only. */
export function columnFormat(field: Field, values: readonly unknown[], locale?: string): ColumnFormat {
  if (isTime(field)) return timeFormat(field, values, locale)
  if (isNumeric(field) && !isIdentifier(field)) return numberFormat(field, locale)
  return (value) => textOf(field, value)
}

/** Numbers that name something, or that are part of a date: separators would only get in the way. */
const isIdentifier = ({ name }: Field) => /(^|_|\b)(id|key|code|zip|zipcode|postcode|uuid|phone|year)$/i.test(name)

export const isPercent = ({ name }: Pick<Field, 'name'>) => /(^|[^a-z])(percent|percentage|pct)([^a-z]|$)|%/i.test(name)

/** Averages and rates have fifteen digits, more than are worth reading. Decimals and integers keep all of theirs. */
const maxFractionDigitsOfDoubles = 6

function numberFormat(field: Field, locale: string | undefined): ColumnFormat {
  const suffix = isPercent(field) ? '%' : ''
  const formats = new Map<number, Intl.NumberFormat>()
  const format = (digits: number) => {
    const known = formats.get(digits)
    if (known) return known
    const made = new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits })
    formats.set(digits, made)
    return made
  }
  const doubles = new Intl.NumberFormat(locale, { maximumFractionDigits: maxFractionDigitsOfDoubles })
  return (value) => {
    const text = textOf(field, value)
    if (text === null) return null
    const places = plainNumber.exec(text)
    if (!places) return `${text}${suffix}`
    const digits = places[1]?.length ?? 0
    // Small numbers would be rounded to nothing.
    const isRounded = typeof value === 'number' && digits > maxFractionDigitsOfDoubles && Math.abs(value) >= 0.001
    return `${isRounded ? doubles.format(value) : format(digits).format(text as `${number}`)}${suffix}`
  }
}

const plainNumber = /^-?\d+(?:\.(\d{1,100}))?$/
const dayMs = 86_400_000

function timeFormat(field: Field, values: readonly unknown[], locale: string | undefined): ColumnFormat {
  const precision = precisionOf(field, values)
  if (precision === 'exact') return (value) => textOf(field, value)
  if (precision === 'day') return (value) => textOf(field, value)?.replace(/ 00:00:00$/, '') ?? null
  const months = new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'short', timeZone: 'UTC' })
  return (value) => {
    const time = timeOf(value)
    return time === null ? textOf(field, value) : months.format(time)
  }
}

/** A few first days of a month are dates; many of them, or a column called `month`, are months. */
const fewestMonths = 3

function precisionOf({ name }: Field, values: readonly unknown[]): 'month' | 'day' | 'exact' {
  const months = new Set<number>()
  let areMonths = true
  for (const value of values) {
    const time = timeOf(value)
    if (time === null) continue
    if (time % dayMs !== 0) return 'exact'
    if (new Date(time).getUTCDate() !== 1) areMonths = false
    else if (months.size < fewestMonths) months.add(time)
  }
  if (!areMonths || months.size === 0) return 'day'
  return months.size >= fewestMonths || /month/i.test(name) ? 'month' : 'day'
}
