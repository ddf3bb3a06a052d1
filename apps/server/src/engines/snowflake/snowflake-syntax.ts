import { comment, endOfFlatComment, endOfLine, type LexicalRules, prefixed, skip, unclear } from '../sql/lexical-rules.ts'
import { standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y

const lexicalRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) => (sql.startsWith('/*', start) ? endOfFlatComment(sql, start) : endOfLine(sql, start, /\n/g)),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: true } }
    if (character === '"') return { start: at, position: { kind: 'identifier', quote: '"', backslash: false } }
    if ((character === '-' || character === '/') && next === character) return lineComment(sql, at)
    if (character === '/' && next === '*') return blockComment(sql, at)
    if (sql.startsWith('$$', at)) return { start: at, position: { kind: 'dollar', tag: '$$' } }
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    const literal = prefixed(sql, at, wordEnd)?.position
    if (literal?.kind === 'digits' && literal.base === 'hexadecimal') return { start: wordEnd, position: literal }
    // Prefixes that other databases have. The documentation does not mention them.
    return literal ? unclear(at, `the prefix ${sql.slice(at, wordEnd)} of a literal`) : { skipTo: wordEnd }
  },
}

/** The documentation does not say whether a carriage return ends a comment. */
function lineComment(sql: string, at: number): ReturnType<LexicalRules['next']> {
  const text = sql.slice(at, endOfLine(sql, at, /\n/g))
  return /\r(?!$)/.test(text) ? unclear(at, 'a carriage return in a comment') : { start: at, position: comment }
}

/** The documentation does not say whether comments nest. */
function blockComment(sql: string, at: number): ReturnType<LexicalRules['next']> {
  const isNested = sql.slice(at + 2, endOfFlatComment(sql, at)).includes('/*')
  return isNested ? unclear(at, 'a comment within a comment') : { start: at, position: comment }
}

/** By the documentation: a backslash in a plain string escapes the next character, and `$$…$$` has no escapes. */
export const snowflakeSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: true,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: /(?:x[0-9A-Fa-f]?|u[0-9A-Fa-f]{0,3}|[0-7]{1,2})$/,
  literals: standardLiterals,
}
