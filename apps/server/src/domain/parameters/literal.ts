import type { Dialect } from '../../model/database.ts'
import type { ParameterType, SingleValue } from '../../model/parameter.ts'

/** A date range has no literal of its own, only its two days. */
export type LiteralType = Exclude<ParameterType, 'dateRange'>

/**
 * A checked value as SQL: `bareLiteral` for a placeholder in bare SQL, `valueText` for one inside a string, an identifier or a
 * dollar quote.
 */
export function bareLiteral(options: {
  dialect: Dialect
  type: LiteralType
  value: SingleValue
}): string | undefined {
  const { dialect, type, value } = options
  const text = valueText(options)
  switch (type) {
    case 'text':
      return `'${escapeQuoted({ text, quote: "'", backslash: hasBackslashStrings(dialect), dialect })}'`
    case 'number':
      // In parentheses, so that `5-{{n}}` never becomes a `--` comment and `{{n}}::text` casts the whole number.
      return text.startsWith('-') ? `(${text})` : text
    case 'date':
      return dialect === 'clickhouse' ? clickhouseDate(text) : `DATE '${text}'`
    case 'timestamp':
      return dialect === 'clickhouse' ? clickhouseTimestamp(text) : `TIMESTAMP '${withoutZone(String(value))}'`
    default:
      // ClickHouse has had `TRUE` and `FALSE` only since 2021, with their own type; 1 and 0 compare with both.
      if (dialect === 'clickhouse') return value === true ? '1' : '0'
      return value === true ? 'TRUE' : 'FALSE'
  }
}

export function valueText(options: { dialect: Dialect; type: LiteralType; value: SingleValue }): string {
  const { dialect, type, value } = options
  if (type === 'number' && typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  // MySQL and ClickHouse do not read the `T` and `Z` of ISO 8601 in their date functions.
  if (type === 'timestamp' && (dialect === 'mysql' || dialect === 'clickhouse')) return withoutZone(String(value))
  return String(value)
}

function withoutZone(timestamp: string): string {
  return timestamp.replace('T', ' ').replace('Z', '')
}

function hasBackslashStrings(dialect: Dialect): boolean {
  return dialect === 'mysql' || dialect === 'clickhouse'
}

/**
 * Quotes are doubled rather than escaped with a backslash wherever the dialect supports it: a doubled quote stays inside the
 * literal even on a server configured to take backslashes literally.
 */
export function escapeQuoted(options: { text: string; quote: string; backslash: boolean; dialect: Dialect }): string {
  const { text, quote, backslash, dialect } = options
  const withBackslashes = backslash ? text.replaceAll('\\', '\\\\') : text
  return withBackslashes.replaceAll(quote, dialect === 'clickhouse' ? `\\${quote}` : quote + quote)
}

// ClickHouse silently moves a day outside of a type's range to the nearest one inside, so choose the type by the year.
function clickhouseDate(date: string): string | undefined {
  const year = Number(date.slice(0, 4))
  if (year >= 1970 && year < 2149) return `toDate('${date}')`
  return year >= 1900 && year <= 2299 ? `toDate32('${date}')` : undefined
}

function clickhouseTimestamp(time: string): string | undefined {
  const year = Number(time.slice(0, 4))
  if (year >= 1970 && year < 2106 && !time.includes('.')) return `toDateTime('${time}', 'UTC')`
  return year >= 1900 && year <= 2299 ? `toDateTime64('${time}', 6, 'UTC')` : undefined
}
