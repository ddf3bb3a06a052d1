import { comment, digitsPrefix, endOfFlatComment, endOfLine, type LexicalRules, skip, unclear } from '../sql/lexical-rules.ts'
import { noOpenEscape, standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_$\u0080-\uffff]+/y

const lexicalRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) =>
    sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /\n/g),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'" || character === '"') {
      return { start: at, position: { kind: 'string', quote: character, backslash: true } }
    }
    if (character === '`') return { start: at, position: { kind: 'identifier', quote: '`', backslash: false } }
    if (character === '#') return { start: at, position: comment }
    if (character === '-' && next === '-') {
      // It is a comment only before white space or a control character. Before anything else it is two minus signs.
      const third = sql.charCodeAt(at + 2)
      return Number.isNaN(third) || third <= 0x20 || third === 0x7f
        ? { start: at, position: comment }
        : { skipTo: at + 1 }
    }
    if (character === '/' && next === '*') {
      if (/^!|^M!/.test(sql.slice(at + 2, at + 4))) return unclear(at, 'a comment that MySQL executes (/*! … */)')
      if (sql[at + 2] === '+' && /['"`]/.test(sql.slice(at, endOfFlatComment(sql, at)))) {
        return unclear(at, 'an optimizer hint with quotes in it')
      }
      return { start: at, position: comment }
    }
    // Newer versions parse `$$…$$` as a string, older ones as a name.
    if (character === '$') return unclear(at, 'a name that begins with $')
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

/** The rules of the default `sql_mode`: the engine must not enable `ANSI_QUOTES` or `NO_BACKSLASH_ESCAPES`. */
export const mysqlSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: true,
  quoteEscape: 'double',
  names: { quote: '`', hasBackslashes: false },
  openEscape: noOpenEscape,
  // The date functions do not read the `T` and `Z` of ISO 8601.
  literals: { ...standardLiterals, readsIsoTimestamps: false },
}
