import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../../engines/registry/definitions.ts'
import { lex, type Segment } from '../../engines/sql/lex.ts'

/**
 * A *placeholder* is `{{name}}`, with whitespace allowed inside the braces. A name is an ASCII letter or underscore followed by up
 * to 63 letters, digits and underscores. The two days of a date range are `{{name.start}}` and `{{name.end}}`. Any other text in
 * braces is left as it is.
 */
export const nameMaxLength = 64

// `__proto__` would not survive as the key of an ordinary object.
const namePattern = /^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,63}$/
const placeholderPattern = /\{\{[ \t\r\n]*(?!__proto__[ \t\r\n.}])([A-Za-z_][A-Za-z0-9_]{0,63})(?:\.(start|end))?[ \t\r\n]*\}\}/g

export function isParameterName(name: string): boolean {
  return namePattern.test(name)
}

export type RangePart = 'start' | 'end'

export interface Placeholder {
  name: string
  /** Which day of a date range. */
  part?: RangePart
  start: number
  end: number
}

/** Splits the SQL into segments with their placeholders; text in comments is never a placeholder. */
export function readPlaceholders(sql: string, dialect: Dialect): { segment: Segment; placeholders: Placeholder[] }[] {
  const matches = sql.matchAll(placeholderPattern)
  let match = matches.next()
  return lex(sql, syntaxOf(dialect).lexicalRules).map((segment) => {
    const placeholders: Placeholder[] = []
    while (!match.done && match.value.index < segment.end) {
      const { index, 0: text, 1: name, 2: part } = match.value
      if (segment.position.kind !== 'comment') {
        const place = { name: name!, start: index, end: index + text.length }
        placeholders.push(part === undefined ? place : { ...place, part: part as RangePart })
      }
      match = matches.next()
    }
    return { segment, placeholders }
  })
}

/** The distinct placeholder names outside of comments, in order of first occurrence. */
export function findPlaceholders(sql: string, dialect: Dialect): string[] {
  return [...new Set(placeholdersOf(sql, dialect).map(({ name }) => name))]
}

/** The names of the placeholders of date ranges: those with `.start` or `.end`. */
export function findRangeNames(sql: string, dialect: Dialect): Set<string> {
  return new Set(placeholdersOf(sql, dialect).flatMap(({ name, part }) => (part === undefined ? [] : [name])))
}

const placeholdersOf = (sql: string, dialect: Dialect) => readPlaceholders(sql, dialect).flatMap(({ placeholders }) => placeholders)
