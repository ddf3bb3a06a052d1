/**
 * Which texts are values of a type. The same patterns are used here, to detect types and to find a value that does not fit, and by DuckDB, which
 * converts the values (`csv-conversions.ts`).
 */
import type { ColumnType, DateOrder, ThousandsSeparator, ValueFormat } from './csv-reading.ts'

const isoDate = String.raw`\d{4}-\d{1,2}-\d{1,2}`
const orderedDate = String.raw`(\d{1,2})[./-](\d{1,2})[./-](\d{4})`
const time = String.raw`[ T]\d{1,2}:\d{2}(:\d{2}(\.\d{1,9})?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?`

const separatorPatterns: Record<ThousandsSeparator, string> = { '': '', '.': '[.]', ',': ',', ' ': '[ \u00A0\u202F]', "'": "['’]" }

export const separatorPattern = (separator: ThousandsSeparator) => separatorPatterns[separator]

/** Matches a date in another order than year, month, day, at the start of a text. */
export const orderedDateStart = `^${orderedDate}`

/** The pattern of a whole value, for JavaScript and for DuckDB. Text has none. */
export function patternOf(type: Exclude<ColumnType, 'text'>, format: ValueFormat): string {
  const separator = separatorPattern(format.thousandsSeparator)
  const whole = separator === '' ? String.raw`\d+` : String.raw`(\d{1,3}(${separator}\d{3})+|\d+)`
  const sign = `[${format.decimalSign}]`
  const date = format.dateOrder === 'ymd' ? isoDate : `(${isoDate}|${orderedDate})`
  switch (type) {
    case 'integer':
      return `^[+-]?${whole}$`
    case 'number':
      return String.raw`^[+-]?(${whole}(${sign}\d*)?|${sign}\d+)([eE][+-]?\d{1,3})?$`
    case 'boolean':
      return '^([tT][rR][uU][eE]|[fF][aA][lL][sS][eE])$'
    case 'date':
      return `^${date}$`
    case 'timestamp':
      return `^${date}(${time})?$`
  }
}

/** A function that tells whether texts are values of a type. An empty text is a missing value and fits every type. */
export function makeFits(type: ColumnType, format: ValueFormat): (text: string) => boolean {
  if (type === 'text') return () => true
  const pattern = new RegExp(patternOf(type, format), 'u')
  const isPossible = possibilities[type]
  return (text) => {
    const trimmed = text.trim()
    return trimmed === '' || (pattern.test(trimmed) && isPossible(trimmed, format))
  }
}

const possibilities: Record<Exclude<ColumnType, 'text'>, (text: string, format: ValueFormat) => boolean> = {
  integer: (text) => {
    const value = BigInt(text.replace(/\D/g, ''))
    return value <= (text.startsWith('-') ? 2n ** 63n : 2n ** 63n - 1n)
  },
  number: (text, { decimalSign }) => {
    const digits = text.replace(decimalSign === '.' ? /[^\deE.+-]/g : /[^\deE,+-]/g, '').replace(',', '.')
    return Number.isFinite(Number(digits))
  },
  boolean: () => true,
  date: isCalendarDate,
  timestamp: (text, format) => isCalendarDate(text, format) && isTimeOfDay(text),
}

function isCalendarDate(text: string, { dateOrder }: ValueFormat): boolean {
  const [, year, month, day] = /^(\d+)-(\d+)-(\d+)/.exec(asIsoDate(text, dateOrder)) ?? []
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  // Years below 100 mean 19xx to `Date`.
  if (Number(year) < 100) date.setUTCFullYear(Number(year))
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
}

function asIsoDate(text: string, order: DateOrder): string {
  return text.replace(new RegExp(orderedDateStart), (_, first: string, second: string, year: string) =>
    order === 'mdy' ? `${year}-${first}-${second}` : `${year}-${second}-${first}`,
  )
}

function isTimeOfDay(text: string): boolean {
  const [, hour = '0', minute = '0', second = '0'] = /[ T](\d+):(\d+)(?::(\d+))?/.exec(text) ?? []
  return Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
}
