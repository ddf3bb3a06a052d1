import type { Dialect } from '../../model/database.ts'
import { lex } from './lex.ts'

/** One of the statements of a text. Semicolons, and what holds nothing but spaces and comments, are not. */
export interface Statement {
  start: number
  end: number
  /** All that stands bare in it, in lower case and in order: keywords and names without quotes. */
  words: string[]
  /** Why the rest of it cannot be told, where versions or settings of the same database read it differently. */
  unclear: string | null
}

/** Reads a text as its database will: a semicolon in a string or a comment ends nothing. */
export function readStatements(sql: string, dialect: Dialect): Statement[] {
  const statements: Statement[] = []
  let current: Statement | undefined
  const reach = (start: number, end: number): Statement => {
    if (!current) {
      current = { start, end, words: [], unclear: null }
      statements.push(current)
    }
    current.end = end
    return current
  }
  for (const { start, end, position } of lex(sql, dialect)) {
    if (position.kind === 'comment') continue
    if (position.kind === 'unclear') reach(start, end).unclear = position.reason
    else if (position.kind !== 'bare') reach(start, end)
    else {
      for (const { 0: piece, index } of sql.slice(start, end).matchAll(/;|[\p{L}\p{N}_$]+|[^\s;]/gu)) {
        if (piece === ';') {
          current = undefined
          continue
        }
        const statement = reach(start + index, start + index + piece.length)
        if (/^[\p{L}_]/u.test(piece)) statement.words.push(piece.toLowerCase())
      }
    }
  }
  return statements
}
