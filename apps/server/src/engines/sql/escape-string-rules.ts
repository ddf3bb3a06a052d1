import { comment, endOfLine, endOfNestedComment, type LexicalRules, prefixed, skip, unclear } from './lexical-rules.ts'

const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y
const dollarNumber = /\$[0-9]+/y
const decimalNumber = /[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][+-]?[0-9]+)?/y

/** Spaces that a database replaces with plain ones before parsing if it considers them outside quotes. */
export interface AlteredSpaces {
  characters: RegExp
  /** Matches text that would mean something else if the special space before it counted as a letter. */
  changesMeaningOf: RegExp
}

/** The rules of dialects with `E'…'`, dollar quotes and nested comments. `word` matches a name. */
export function escapeStringRules(options: { word: RegExp; alteredSpaces?: AlteredSpaces }): LexicalRules {
  const { word, alteredSpaces } = options
  return {
    continuesStrings: true,
    endOfComment: (sql, start) =>
      sql[start] === '-' ? endOfLine(sql, start, /[\n\r]/g) : endOfNestedComment(sql, start),
    next(sql, at) {
      const character = sql[at]!
      const next = sql[at + 1]
      if (character === "'") return { start: at, position: { kind: 'string', quote: "'", backslash: false } }
      if (character === '"') return { start: at, position: { kind: 'identifier', quote: '"', backslash: false } }
      if (character === '-' && next === '-') return { start: at, position: comment }
      if (character === '/' && next === '*') return { start: at, position: comment }
      if (character === '$') {
        const tagEnd = skip(dollarTag, sql, at)
        if (tagEnd === at) return { skipTo: Math.max(at + 1, skip(dollarNumber, sql, at)) }
        const tag = sql.slice(at, tagEnd)
        if (alteredSpaces?.characters.test(tag)) return unclear(at, 'a special space in the tag of a dollar quote')
        return { start: at, position: { kind: 'dollar', tag } }
      }
      if (alteredSpaces?.characters.test(character)) {
        return skip(alteredSpaces.changesMeaningOf, sql, at + 1) > at + 1
          ? unclear(at, 'a special space (such as a no-break space); use an ordinary one')
          : { skipTo: at + 1 }
      }
      const numberEnd = skip(decimalNumber, sql, at)
      if (numberEnd > at) return { skipTo: numberEnd }
      const wordEnd = skip(word, sql, at)
      if (wordEnd === at) return { skipTo: at + 1 }
      return prefixed(sql, at, wordEnd) ?? { skipTo: wordEnd }
    },
  }
}
