import { escapeStringRules } from '../sql/escape-string-rules.ts'
import { standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y

/** Verified by executing it on PostgreSQL 18. The engine must keep `standard_conforming_strings` on. */
export const postgresSyntax: Syntax = {
  lexicalRules: escapeStringRules({ word }),
  hasBackslashStrings: false,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: /(?:x[0-9A-Fa-f]?|[0-7]{1,2}|u[0-9A-Fa-f]{0,3}|U[0-9A-Fa-f]{0,7})$/,
  literals: standardLiterals,
}
