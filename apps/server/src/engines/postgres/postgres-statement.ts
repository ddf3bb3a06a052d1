import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { lex } from '../sql/lex.ts'
import type { LexicalRules } from '../sql/lexical-rules.ts'
import type { ServerVersion } from './version.ts'

/**
 * Statements that return rows and change nothing. The transaction is read-only as well; this list covers what that does
 * not prevent.
 */
const allowed = new Set(['select', 'with', 'values', 'table', 'show', 'explain'])

/** Rejects anything but a single statement before the server sees it. Returns its words. */
export function singleStatement(sql: string, rules: LexicalRules): string[] {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const [statement, ...others] = readStatements(sql, rules)
  if (!statement) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  return statement.words
}

/**
 * Rejects statements that the server can parse but must not run: COPY writes files and runs programs, SET and LOCK outlast
 * the statement, DO and CALL can do anything. Checked after the server has parsed the statement, because its message about
 * a misspelled one is the most precise.
 */
export function requireReadStatement(words: string[]): void {
  const [first = 'such a statement', ...others] = words
  if (!allowed.has(first)) {
    const others = 'only SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN can run'
    throw new EngineError('refused', `${first.toUpperCase()} is not allowed: ${others}.`)
  }
  // EXPLAIN ANALYZE CREATE TABLE AS creates the table, even in a read-only transaction. CREATE is reserved, so it is never a name.
  if (first === 'explain' && others.includes('create')) {
    throw new EngineError('refused', 'CREATE is not allowed, not even with EXPLAIN. Only statements that read data can run.')
  }
}

/**
 * Redshift reads a backslash in a plain string as an escape. Under PostgreSQL's rules a string would end elsewhere than it was meant to,
 * so such a statement does not run.
 */
export function checkBackslashes(sql: string, { lexicalRules, version }: { lexicalRules: LexicalRules; version: ServerVersion }): void {
  if (!version.isRedshift) return
  const isMisread = lex(sql, lexicalRules).some(
    ({ start, end, position }) => position.kind === 'string' && !position.backslash && sql.slice(start, end).includes('\\'),
  )
  if (!isMisread) return
  throw new EngineError(
    'refused',
    'This server is Amazon Redshift, which reads a backslash in a string as an escape, and PostgreSQL does not. ' +
      'Ask an admin to add the database again, as Amazon Redshift.',
  )
}

/** `$1` is for clients that send values along with the statement. Here it would have no value. */
export function rejectParameters(count: number): void {
  if (count === 0) return
  throw new EngineError('failed', 'There is no parameter $1. Write query parameters as {{name}}.')
}
