import { comment, digitsPrefix, endOfFlatComment, endOfLine, type LexicalRules, skip, unclear } from '../sql/lexical-rules.ts'
import { standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y

const lexicalRules: LexicalRules = {
  continuesStrings: true,
  endOfComment: (sql, start) => (sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /[\n\r]/g)),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: true } }
    if (character === '"') return { start: at, position: { kind: 'identifier', quote: '"', backslash: false } }
    if (character === '-' && next === '-') return { start: at, position: comment }
    if (character === '/' && next === '*') {
      // PostgreSQL nests comments; the documentation of Redshift does not say.
      return sql.slice(at + 2, endOfFlatComment(sql, at)).includes('/*') ? unclear(at, 'a comment within a comment') : { start: at, position: comment }
    }
    if (character === '$') return unclear(at, 'a dollar sign')
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    if (/^u$/i.test(sql.slice(at, wordEnd)) && /^&['"]/.test(sql.slice(wordEnd, wordEnd + 2))) return unclear(at, 'a U& literal')
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

/**
 * Redshift descends from PostgreSQL 8.0: a backslash in a plain string escapes the next character. A value is safe even on a cluster
 * that takes it literally, because quotes are doubled and not escaped.
 */
export const redshiftSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: true,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: /(?:x[0-9A-Fa-f]?|[0-7]{1,2})$/,
  literals: standardLiterals,
}
