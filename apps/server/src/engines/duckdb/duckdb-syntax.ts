import { escapeStringRules } from '../sql/escape-string-rules.ts'
import { standardLiterals, type Syntax } from '../sql/syntax.ts'

/** Spaces that DuckDB replaces with plain ones before parsing if it considers them outside quotes. */
const spaceClass = '\\u00a0\\u2000-\\u200b\\u202f\\u205f\\u2060\\u3000\\ufeff'
const spaces = new RegExp(`[${spaceClass}]`)
const notSpace = `(?![${spaceClass}])`
const word = new RegExp(`${notSpace}[A-Za-z_\\u0080-\\uffff](?:${notSpace}[A-Za-z0-9_$\\u0080-\\uffff])*`, 'y')
/** A literal's prefix or a dollar sign. */
const changesMeaningOf = new RegExp(`[eExXbB]'|[uU]&['"]|(?:${notSpace}[A-Za-z0-9_\\u0080-\\uffff])*\\$`, 'y')

/** Verified by executing it on DuckDB 1.5. */
export const duckdbSyntax: Syntax = {
  lexicalRules: escapeStringRules({ word, alteredSpaces: { characters: spaces, changesMeaningOf } }),
  hasBackslashStrings: false,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: /(?:x[0-9A-Fa-f]?|[0-7]{1,2}|u[0-9A-Fa-f]{0,3}|U[0-9A-Fa-f]{0,7})$/,
  literals: standardLiterals,
  alteredSpaces: spaces,
}
