import { comment, endOfFlatComment, endOfLine, type LexicalRules, skip, unclear } from '../sql/lexical-rules.ts'
import { standardLiterals, type Syntax } from '../sql/syntax.ts'

const word = /[A-Za-z0-9_\u0080-\uffff]+/y
const prefix = /^(?:r|b|rb|br)$/i

const lexicalRules: LexicalRules = {
  continuesStrings: false,
  endOfComment: (sql, start) => (sql[start] === '/' ? endOfFlatComment(sql, start) : endOfLine(sql, start, /[\n\r]/g)),
  next(sql, at) {
    const character = sql[at]!
    const next = sql[at + 1]
    if (character === "'" || character === '"') return stringAt(sql, at)
    if (character === '`') return { start: at, position: { kind: 'identifier', quote: '`', backslash: true } }
    if (character === '#' || (character === '-' && next === '-') || (character === '/' && next === '*')) {
      return { start: at, position: comment }
    }
    const wordEnd = skip(word, sql, at)
    if (wordEnd === at) return { skipTo: at + 1 }
    const quote = sql[wordEnd]
    if ((quote !== "'" && quote !== '"') || !prefix.test(sql.slice(at, wordEnd))) return { skipTo: wordEnd }
    return /r/i.test(sql.slice(at, wordEnd)) ? rawStringAt(sql, wordEnd, quote) : stringAt(sql, wordEnd)
  },
}

type Found = ReturnType<LexicalRules['next']>

function stringAt(sql: string, at: number): Found {
  const quote = sql[at]!
  if (isTriple(sql, at)) return unclear(at, 'a triple-quoted string; use an ordinary one')
  return { start: at, position: { kind: 'string', quote, backslash: true } }
}

/**
 * A raw string has no escapes, but a backslash keeps a quote from ending it. Without such a backslash it ends at the first quote, as
 * a string with a tag does, and a value that contains the quote is refused there.
 */
function rawStringAt(sql: string, at: number, quote: string): Found {
  const end = sql.indexOf(quote, at + 1)
  const text = sql.slice(at + 1, end === -1 ? undefined : end)
  // A placeholder is still in its braces here, and its value might end with a backslash.
  if (isTriple(sql, at) || text.endsWith('\\') || text.includes('{{')) return unclear(at, 'a raw string with quotes or placeholders in it')
  return { start: at, position: { kind: 'dollar', tag: quote } }
}

const isTriple = (sql: string, at: number) => sql.startsWith(sql[at]!.repeat(3), at)

export const bigquerySyntax: Syntax = {
  lexicalRules,
  hasBackslashStrings: true,
  quoteEscape: 'backslash',
  names: { quote: '`', hasBackslashes: true },
  openEscape: /(?:[xX][0-9A-Fa-f]?|[0-7]{1,2}|u[0-9A-Fa-f]{0,3}|U[0-9A-Fa-f]{0,7})$/,
  literals: { ...standardLiterals, timestamp: (text) => `TIMESTAMP '${text}+00'` },
}
