import { syntaxOf } from '../../engines/registry/definitions.ts'
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
  const syntax = syntaxOf(dialect)
  const { literals } = syntax
  const text = valueText(options)
  switch (type) {
    case 'text':
      return `'${escapeQuoted({ text, quote: "'", backslash: syntax.hasBackslashStrings, dialect })}'`
    case 'number':
      // In parentheses, so that `5-{{n}}` never becomes a `--` comment and `{{n}}::text` casts the whole number.
      return text.startsWith('-') ? `(${text})` : text
    case 'date':
      return literals.date(text)
    case 'timestamp':
      return literals.timestamp(withoutZone(String(value)))
    default:
      return value === true ? literals.true : literals.false
  }
}

export function valueText(options: { dialect: Dialect; type: LiteralType; value: SingleValue }): string {
  const { dialect, type, value } = options
  if (type === 'number' && typeof value === 'number') return Object.is(value, -0) ? '0' : String(value)
  if (type === 'timestamp' && !syntaxOf(dialect).literals.readsIsoTimestamps) return withoutZone(String(value))
  return String(value)
}

function withoutZone(timestamp: string): string {
  return timestamp.replace('T', ' ').replace('Z', '')
}

/**
 * Quotes are doubled rather than escaped with a backslash wherever the dialect supports it: a doubled quote stays inside the
 * literal even on a server configured to take backslashes literally.
 */
export function escapeQuoted(options: { text: string; quote: string; backslash: boolean; dialect: Dialect }): string {
  const { text, quote, backslash, dialect } = options
  const withBackslashes = backslash ? text.replaceAll('\\', '\\\\') : text
  return withBackslashes.replaceAll(quote, syntaxOf(dialect).quoteEscape === 'backslash' ? `\\${quote}` : quote + quote)
}
