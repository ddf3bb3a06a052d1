import { readPlaceholders } from '@querypost/server/placeholders'
import type { Database } from '../api/databases.ts'
import type { Run } from '../api/runs.ts'

type Place = NonNullable<Run['errorPosition']>

/**
 * Maps a position in the executed SQL to the SQL template, which has placeholders instead of values. A position inside a value
 * maps to its placeholder. Returns null if the two texts do not belong together.
 */
export function placeInTemplate(options: {
  sql: string
  renderedSql: string
  dialect: Database['engine']
  place: Place
}): Place | null {
  const { sql, renderedSql, dialect, place } = options
  const wanted = offsetOf(renderedSql, place)
  if (wanted === null) return null
  const placeholders = readPlaceholders(sql, dialect).flatMap((part) => part.placeholders)
  let from = 0
  let renderedFrom = 0
  for (const [at, { start, end }] of placeholders.entries()) {
    const text = sql.slice(from, start)
    if (!renderedSql.startsWith(text, renderedFrom)) return null
    if (wanted < renderedFrom + text.length) return placeOf(sql, from + wanted - renderedFrom)
    const following = sql.slice(end, placeholders[at + 1]?.start ?? sql.length)
    const valueStart = renderedFrom + text.length
    // The last piece of literal text ends with the SQL; the others are searched for after the value.
    const isLast = at === placeholders.length - 1
    const valueEnd = isLast ? renderedSql.length - following.length : renderedSql.indexOf(following, valueStart)
    if (valueEnd < valueStart) return null
    if (wanted < valueEnd) return placeOf(sql, start)
    from = end
    renderedFrom = valueEnd
  }
  return renderedSql.slice(renderedFrom) === sql.slice(from) ? placeOf(sql, from + wanted - renderedFrom) : null
}

/** A position in a text, as a position in the text with a prefix before it. */
export function placeAfter(prefix: string, { line, column }: Place): Place {
  const lines = prefix.split('\n')
  return { line: line + lines.length - 1, column: line === 1 ? column + lines.at(-1)!.length : column }
}

function offsetOf(text: string, { line, column }: Place): number | null {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1)
  if (line < 1 || line > lines.length) return null
  return before.reduce((length, each) => length + each.length + 1, 0) + Math.min(column - 1, lines[line - 1]!.length)
}

function placeOf(text: string, offset: number): Place {
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}
