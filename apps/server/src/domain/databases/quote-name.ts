import type { Dialect } from '../../model/database.ts'
import { escapeQuoted } from '../parameters/literal.ts'

/** The name of a table or schema as SQL of the dialect, whatever characters it has. */
export function quoteName(dialect: Dialect, text: string): string {
  const quote = dialect === 'mysql' || dialect === 'clickhouse' ? '`' : '"'
  return `${quote}${escapeQuoted({ text, quote, backslash: dialect === 'clickhouse', dialect })}${quote}`
}
