import type { Dialect } from '../../model/database.ts'
import { syntaxOf } from '../../engines/registry/definitions.ts'
import type { Segment } from '../../engines/sql/lex.ts'
import type { Placeholder } from './placeholder.ts'

/**
 * The surroundings of a placeholder in bare SQL. A literal must not merge with them: `E` and `'…'` would become an escape string,
 * `'a'` and `'b'` one string, `1` and `2` twelve.
 */
export interface Neighbors {
  /** The adjacent text, on either side, that a literal would merge with. */
  touches: string | undefined
  /** Only whitespace and comments separate it from another literal, or a dot follows: it needs parentheses. */
  needsParentheses: boolean
  /** It is an item of its own between parentheses, brackets or commas, so that a list fits there. */
  isInList: boolean
}

type Neighbor = 'quoted' | 'placeholder' | 'other'
interface Part {
  segment: Segment
  placeholders: readonly Placeholder[]
}

export function bareNeighbors(options: {
  sql: string
  dialect: Dialect
  parts: readonly Part[]
}): Map<Placeholder, Neighbors> {
  const { sql, dialect, parts } = options
  const before = significantBefore(sql, parts)
  const after = significantAfter(sql, parts)
  const found = new Map<Placeholder, Neighbors>()
  for (const { segment, placeholders } of parts) {
    if (segment.position.kind !== 'bare') continue
    placeholders.forEach((placeholder, index) => {
      const touchesPlaceholder =
        placeholders[index - 1]?.end === placeholder.start || placeholders[index + 1]?.start === placeholder.end
      found.set(placeholder, {
        touches: touchesPlaceholder
          ? 'another placeholder'
          : (touchedBefore(sql, placeholder.start, dialect) ?? touchedAfter(sql, placeholder.end, dialect)),
        needsParentheses:
          isLiteral(before.get(placeholder)) || isLiteral(after.get(placeholder)) || sql[placeholder.end] === '.',
        isInList: isBetweenItems(sql, placeholder),
      })
    })
  }
  return found
}

function isBetweenItems(sql: string, { start, end }: Placeholder): boolean {
  let before = start - 1
  while (/\s/.test(sql[before] ?? '')) before--
  let after = end
  while (/\s/.test(sql[after] ?? '')) after++
  return /[([,]/.test(sql[before] ?? '') && /[)\],]/.test(sql[after] ?? '')
}

function isLiteral(neighbor: Neighbor | undefined): boolean {
  return neighbor === 'quoted' || neighbor === 'placeholder'
}

// Letters, digits, and everything that forms, starts or ends a name, a number, a variable or quoted text.
const mergesBefore = /[A-Za-z0-9_$@.\\'"`\u0080-\uffff]/
const mergesAfter = /[A-Za-z0-9_$@'"`\u0080-\uffff]/

function touchedBefore(sql: string, start: number, dialect: Dialect): string | undefined {
  const character = sql[start - 1]
  if (character === undefined || syntaxOf(dialect).alteredSpaces?.test(character)) return undefined
  // `U&'…'` is a kind of string in PostgreSQL and DuckDB.
  if (character === '&' && /u/i.test(sql[start - 2] ?? '')) return sql.slice(start - 2, start)
  return mergesBefore.test(character) ? character : undefined
}

function touchedAfter(sql: string, end: number, dialect: Dialect): string | undefined {
  const character = sql[end]
  if (character === undefined || syntaxOf(dialect).alteredSpaces?.test(character)) return undefined
  return mergesAfter.test(character) ? character : undefined
}

/** For each bare placeholder, the last thing before it that is neither whitespace nor a comment. */
function significantBefore(sql: string, parts: readonly Part[]): Map<Placeholder, Neighbor> {
  const found = new Map<Placeholder, Neighbor>()
  let last: Neighbor = 'other'
  for (const { segment, placeholders } of parts) {
    if (segment.position.kind === 'comment') continue
    if (segment.position.kind !== 'bare') {
      last = 'quoted'
      continue
    }
    let at = segment.start
    for (const placeholder of placeholders) {
      if (!isBlank(sql, at, placeholder.start)) last = 'other'
      found.set(placeholder, last)
      last = 'placeholder'
      at = placeholder.end
    }
    if (!isBlank(sql, at, segment.end)) last = 'other'
  }
  return found
}

function significantAfter(sql: string, parts: readonly Part[]): Map<Placeholder, Neighbor> {
  const found = new Map<Placeholder, Neighbor>()
  let next: Neighbor = 'other'
  for (const { segment, placeholders } of parts.toReversed()) {
    if (segment.position.kind === 'comment') continue
    if (segment.position.kind !== 'bare') {
      next = 'quoted'
      continue
    }
    let at = segment.end
    for (const placeholder of placeholders.toReversed()) {
      if (!isBlank(sql, placeholder.end, at)) next = 'other'
      found.set(placeholder, next)
      next = 'placeholder'
      at = placeholder.start
    }
    if (!isBlank(sql, segment.start, at)) next = 'other'
  }
  return found
}

function isBlank(sql: string, start: number, end: number): boolean {
  return sql.slice(start, end).trim() === ''
}
