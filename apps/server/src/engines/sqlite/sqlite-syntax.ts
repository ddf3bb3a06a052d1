import { comment, digitsPrefix, endOfFlatComment, endOfLine, type LexicalRules, skip, unclear } from '../sql/lexical-rules.ts'
import { noOpenEscape, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_$\u0080-\uffff]+/y

const lexicalRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) => (sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /\n/g)),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: false } }
    if (character === '"' || character === '`') return { start: at, position: { kind: 'identifier', quote: character, backslash: false } }
    if (character === '[') return unclear(at, 'a name in brackets; quote names with "…"')
    if ((character === '-' && next === '-') || (character === '/' && next === '*')) return { start: at, position: comment }
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

/** Verified by executing it on SQLite 3.53. */
export const sqliteSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: false,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: noOpenEscape,
  literals: {
    // There are no types for dates and times. Most databases keep them as texts in these forms, which the date functions read.
    date: (text) => `'${text}'`,
    timestamp: (text) => `'${text}'`,
    true: 'TRUE',
    false: 'FALSE',
    readsIsoTimestamps: false,
  },
}
