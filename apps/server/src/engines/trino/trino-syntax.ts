import { comment, digitsPrefix, endOfFlatComment, endOfLine, type LexicalRules, prefixed, skip, unclear } from '../sql/lexical-rules.ts'
import { noOpenEscape, standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_\u0080-\uffff]+/y

const lexicalRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) => (sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /[\n\r]/g)),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: false } }
    if (character === '"') return { start: at, position: { kind: 'identifier', quote: '"', backslash: false } }
    if ((character === '-' && next === '-') || (character === '/' && next === '*')) return { start: at, position: comment }
    // Newer versions read `$$…$$` as the text of a function.
    if (character === '$') return unclear(at, 'a dollar sign')
    if (character === '`') return unclear(at, 'a backquote; quote names with "…"')
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    const unicode = prefixed(sql, at, wordEnd)
    if (unicode?.position.kind === 'unicode') return unicode
    return digitsPrefix(sql, at, wordEnd) ?? { skipTo: wordEnd }
  },
}

/** Verified by executing it on Trino 476. */
export const trinoSyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: false,
  quoteEscape: 'double',
  names: { quote: '"', hasBackslashes: false },
  openEscape: noOpenEscape,
  literals: standardLiterals,
}
