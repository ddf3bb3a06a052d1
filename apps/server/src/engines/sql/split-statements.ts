import { lex } from './lex.ts'
import type { LexicalRules } from './lexical-rules.ts'

/** A statement of a text. Semicolons and parts with only spaces and comments do not count. */
export interface Statement {
  start: number
  end: number
  /** Its bare words in lower case and in order: keywords and unquoted names. */
  words: string[]
  /** Why the rest is unclear, if versions or settings of the same database parse it differently. */
  unclear: string | null
}

/** Splits a text as its database would: a semicolon in a string or comment does not end a statement. */
export function readStatements(sql: string, rules: LexicalRules): Statement[] {
  const statements: Statement[] = []
  let current: Statement | undefined
  const extendTo = (start: number, end: number): Statement => {
    if (!current) {
      current = { start, end, words: [], unclear: null }
      statements.push(current)
    }
    current.end = end
    return current
  }
  for (const { start, end, position } of lex(sql, rules)) {
    if (position.kind === 'comment') continue
    if (position.kind === 'unclear') extendTo(start, end).unclear = position.reason
    else if (position.kind !== 'bare') extendTo(start, end)
    else {
      for (const { 0: piece, index } of sql.slice(start, end).matchAll(/;|[\p{L}\p{N}_$]+|[^\s;]/gu)) {
        if (piece === ';') {
          current = undefined
          continue
        }
        const statement = extendTo(start + index, start + index + piece.length)
        if (/^[\p{L}_]/u.test(piece)) statement.words.push(piece.toLowerCase())
      }
    }
  }
  return statements
}
