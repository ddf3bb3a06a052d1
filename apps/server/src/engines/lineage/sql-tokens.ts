import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../registry/definitions.ts'
import { lex } from '../sql/lex.ts'

/** A word, number, string, quoted name or symbol of a SQL text. Spaces and comments are left out. */
export interface Token {
  kind: 'word' | 'number' | 'string' | 'name' | 'symbol' | 'unclear'
  start: number
  end: number
  /** A word in lower case; a string or quoted name without its quotes; else the text itself. */
  text: string
}

const bareToken = /(?<word>[\p{L}_][\p{L}\p{N}\p{M}_$]*)|(?<number>\p{N}[\p{L}\p{N}_]*(?:\.\d*)?(?:(?<=[eE])[+-]\d+)?)|=>|:=|::|[^\s]/gu

export function readTokens(sql: string, dialect: Dialect): Token[] {
  const tokens: Token[] = []
  for (const { start, end, position } of lex(sql, syntaxOf(dialect).lexicalRules)) {
    switch (position.kind) {
      case 'comment':
        break
      case 'bare':
        for (const found of sql.slice(start, end).matchAll(bareToken)) {
          const [text] = found
          const { word, number } = found.groups!
          const at = start + found.index
          const kind = word !== undefined ? 'word' : number !== undefined ? 'number' : 'symbol'
          tokens.push({ kind, start: at, end: at + text.length, text: kind === 'word' ? text.toLowerCase() : text })
        }
        break
      case 'string':
      case 'identifier': {
        const { quote, backslash } = position
        const doubled = sql.slice(start + 1, end - 1).replaceAll(quote + quote, quote)
        const text = backslash ? doubled.replaceAll(/\\(.)/gs, '$1') : doubled
        tokens.push({ kind: position.kind === 'string' ? 'string' : 'name', start, end, text })
        break
      }
      case 'dollar':
        tokens.push({ kind: 'string', start, end, text: sql.slice(start + position.tag.length, end - position.tag.length) })
        break
      default:
        tokens.push({ kind: 'unclear', start, end, text: sql.slice(start, end) })
    }
  }
  return tokens
}
