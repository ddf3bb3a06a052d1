import type { Dialect } from '../../model/database.ts'
import { lex, type Segment } from '../../engines/sql/lex.ts'

/**
 * A *placeholder* is `{{name}}`, with white space allowed inside the braces. A name is an ASCII letter or underscore and
 * up to 63 letters, digits and underscores. Any other text in braces is left as it is.
 */
export const nameMaxLength = 64

// `__proto__` would not survive as the key of an ordinary object.
const namePattern = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/
const placeholderPattern = /\{\{[ \t\r\n]*(?!__proto__[ \t\r\n}])([A-Za-z_][A-Za-z0-9_]{0,63})[ \t\r\n]*\}\}/g

export function isParameterName(name: string): boolean {
  return namePattern.test(name)
}

export interface Placeholder {
  name: string
  start: number
  end: number
}

/** The text as segments, each with the placeholders in it; those in comments are not placeholders. */
export function readPlaceholders(sql: string, dialect: Dialect): { segment: Segment; placeholders: Placeholder[] }[] {
  const matches = sql.matchAll(placeholderPattern)
  let match = matches.next()
  return lex(sql, dialect).map((segment) => {
    const placeholders: Placeholder[] = []
    while (!match.done && match.value.index < segment.end) {
      const { index, 0: text, 1: name } = match.value
      if (segment.position.kind !== 'comment') placeholders.push({ name: name!, start: index, end: index + text.length })
      match = matches.next()
    }
    return { segment, placeholders }
  })
}

/** The distinct names of the placeholders outside of comments, in the order in which they first occur. */
export function findPlaceholders(sql: string, dialect: Dialect): string[] {
  const names = readPlaceholders(sql, dialect).flatMap(({ placeholders }) => placeholders.map(({ name }) => name))
  return [...new Set(names)]
}
