import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { postgresSyntax } from './postgres-syntax.ts'

/**
 * Statements that return rows and change nothing. The transaction is read-only as well; this list covers what that does
 * not prevent.
 */
const allowed = new Set(['select', 'with', 'values', 'table', 'show', 'explain'])

/** Rejects anything but a single statement before the server sees it. Returns its words. */
export function singleStatement(sql: string): string[] {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const [statement, ...others] = readStatements(sql, postgresSyntax.lexicalRules)
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

/** `$1` is for clients that send values along with the statement. Here it would have no value. */
export function rejectParameters(count: number): void {
  if (count === 0) return
  throw new EngineError('failed', 'There is no parameter $1. Write query parameters as {{name}}.')
}
