import type { Dialect } from '../../model/database.ts'
import { escapeQuoted } from '../parameters/literal.ts'

/** Quotes the name of a table or schema for the dialect, whatever characters it contains. */
export function quoteName(dialect: Dialect, text: string): string {
  const quote = dialect === 'mysql' || dialect === 'clickhouse' ? '`' : '"'
  return `${quote}${escapeQuoted({ text, quote, backslash: dialect === 'clickhouse', dialect })}${quote}`
}
