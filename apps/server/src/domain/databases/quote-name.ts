import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../../engines/registry/definitions.ts'
import { escapeQuoted } from '../parameters/literal.ts'

/** Quotes the name of a table or schema for the dialect, whatever characters it contains. */
export function quoteName(dialect: Dialect, text: string): string {
  const { quote, hasBackslashes } = syntaxOf(dialect).names
  return `${quote}${escapeQuoted({ text, quote, backslash: hasBackslashes, dialect })}${quote}`
}
