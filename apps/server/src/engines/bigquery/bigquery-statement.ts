import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { bigquerySyntax } from './bigquery-syntax.ts'

/** Words that begin a statement which is not a query. With any other one, the dry run tells what the statement is. */
const otherWords = new Set([
  'alter', 'analyze', 'assert', 'begin', 'call', 'commit', 'create', 'declare', 'delete', 'drop', 'execute', 'export', 'grant', 'if',
  'insert', 'load', 'loop', 'merge', 'raise', 'repeat', 'revoke', 'rollback', 'set', 'truncate', 'undrop', 'update', 'while',
])

/** The text of the single statement, without its semicolon. */
export function checkStatement(sql: string): string {
  const [only, ...others] = readStatements(sql, bigquerySyntax.lexicalRules)
  if (!only) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  const [first] = only.words
  if (first !== undefined && otherWords.has(first)) throw notReading(first)
  // The position of an error counts from the start of the text, so what comes before the statement stays.
  return sql.slice(0, only.end)
}

/** `type`: as the dry run reports it. A script, which may contain anything, has a type of its own. */
export function checkStatementType(type: string | undefined): void {
  if (type !== 'SELECT') throw notReading(type?.replaceAll('_', ' ') ?? 'These')
}

const notReading = (kind: string) =>
  new EngineError('refused', `${kind === 'These' ? kind : kind.toUpperCase()} statements are not allowed. Only statements that read data can run.`)
