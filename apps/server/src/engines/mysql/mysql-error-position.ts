/** Finds an error's position in the statement. MySQL reports the line and the text that follows, or only a name. */
import type { ErrorPosition } from '../../model/run.ts'
import { lex } from '../sql/lex.ts'
import { mysqlSyntax } from './mysql-syntax.ts'

const syntaxErrors = new Set([1064, 1149])

/** Errors about a name that is missing, ambiguous or not allowed. The message quotes the name. */
const nameErrors: Record<number, RegExp> = {
  1052: /^Column '(.+?)' in /,
  1054: /^Unknown column '(.+?)' in /,
  1109: /^Unknown table '(.+?)' in /,
  1142: / for table [`']?(.+?)[`']?$/,
  1146: /^Table '(.+?)' doesn't exist/,
  1305: /^(?:FUNCTION|PROCEDURE) (.+?) does not exist/,
}

export function positionOf(
  { errno, message, sql }: { errno: number; message: string; sql: string },
): ErrorPosition | null {
  if (syntaxErrors.has(errno)) return syntaxPosition(message, sql)
  const name = nameErrors[errno]?.exec(message)?.[1]
  return name === undefined ? null : namePosition(name, sql)
}

function syntaxPosition(message: string, sql: string): ErrorPosition | null {
  const found = /near '([\s\S]*)' at line (\d+)$/.exec(message)
  if (!found) return null
  // The server trims a statement before it counts lines.
  const skipped = linesIn(sql.slice(0, sql.length - sql.trimStart().length))
  const line = Number(found[2]) + skipped
  // A truncated quotation ends with dots (MariaDB) or in the middle of a character.
  const rest = found[1]!.replace(/\.\.\.$|\ufffd+$/, '')
  const place = candidatesFor(rest, sql).find((position) => position.line === line)
  return place ?? (line <= linesIn(sql) + 1 ? { line, column: 1 } : null)
}

/** Where the quoted text may begin, the likeliest first. It extends to the end of the statement unless it was truncated. */
function candidatesFor(rest: string, sql: string): ErrorPosition[] {
  const statement = sql.replace(/[\s;]+$/, '')
  if (rest === '') return [positionAt(sql, statement.length)]
  const places = [sql.trimEnd(), statement].flatMap((text) => (text.endsWith(rest) ? [text.length - rest.length] : []))
  for (let at = sql.indexOf(rest); at !== -1; at = sql.indexOf(rest, at + 1)) places.push(at)
  return places.map((at) => positionAt(sql, at))
}

/** The position of the name, which may be qualified, if it occurs in the statement exactly once. */
function namePosition(name: string, sql: string): ErrorPosition | null {
  const last = name.slice(name.lastIndexOf('.') + 1)
  const places = lex(sql, mysqlSyntax.lexicalRules).flatMap(({ start, end, position }) => {
    const text = sql.slice(start, end)
    if (position.kind === 'identifier') return text.slice(1, -1) === last ? [start] : []
    if (position.kind !== 'bare') return []
    return [...text.matchAll(/[\p{L}\p{N}_$]+/gu)].flatMap(({ 0: word, index }) =>
      word.toLowerCase() === last.toLowerCase() ? [start + index] : [],
    )
  })
  return places.length === 1 ? positionAt(sql, places[0]!) : null
}

function positionAt(sql: string, at: number): ErrorPosition {
  const before = sql.slice(0, at)
  return { line: linesIn(before) + 1, column: at - before.lastIndexOf('\n') }
}

const linesIn = (text: string) => text.split('\n').length - 1
