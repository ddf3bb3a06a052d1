import type { ErrorPosition } from '../../model/run.ts'
import { EngineError } from '../engine.ts'
import { lex } from '../sql/lex.ts'
import { readStatements } from '../sql/split-statements.ts'
import { sqliteSyntax } from './sqlite-syntax.ts'

const forbidden = new Set([
  'alter', 'analyze', 'attach', 'begin', 'commit', 'create', 'delete', 'detach', 'drop', 'end', 'insert', 'pragma', 'reindex', 'release',
  'replace', 'rollback', 'savepoint', 'update', 'vacuum',
])

/** The text of the single statement. SQLite would ignore the others. The sandbox prevents everything else than reading. */
export function checkStatement(sql: string): string {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const [only, ...others] = readStatements(sql, sqliteSyntax.lexicalRules)
  if (!only) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  // A statement may be followed by another one in text that is read differently.
  if (only.unclear !== null && /;\s*\S/.test(sql.slice(only.start))) {
    throw new EngineError('refused', `Cannot tell whether this is one statement because of ${only.unclear}.`)
  }
  const [first = ''] = only.words
  if (forbidden.has(first)) {
    throw new EngineError('refused', `${first.toUpperCase()} statements are not allowed. Only statements that read data can run.`)
  }
  return sql.slice(0, only.end)
}

const named = /^near "(.+)": syntax error|^no such (?:column|table|function): (?:\w+\.)?(.+?)(?: - .*)?$|^ambiguous column name: (.+)$/s

/** The driver does not say where an error is, but most messages quote the text at fault. Null unless that occurs exactly once. */
export function positionOf(message: string, sql: string): ErrorPosition | null {
  const [, ...names] = named.exec(message) ?? []
  const name = names.find((each) => each !== undefined)
  if (name === undefined) return null
  const places = lex(sql, sqliteSyntax.lexicalRules).flatMap(({ start, end, position }) =>
    position.kind === 'bare' ? occurrences(sql.slice(start, end), name).map((at) => start + at) : [],
  )
  if (places.length !== 1) return null
  const lines = sql.slice(0, places[0]).split('\n')
  return { line: lines.length, column: lines.at(-1)!.length + 1 }
}

function occurrences(text: string, name: string): number[] {
  const escaped = name.replaceAll(/[^\w]/g, String.raw`\$&`)
  const pattern = /^\w+$/.test(name) ? `(?<![\\w$])${escaped}(?![\\w$])` : escaped
  return [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => index)
}
