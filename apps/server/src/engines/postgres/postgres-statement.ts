import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'

/**
 * What answers with rows and changes nothing. The transaction is read-only besides: this is for what that does not
 * stop.
 */
const allowed = new Set(['select', 'with', 'values', 'table', 'show', 'explain'])

/** Refuses what is not one statement, before the server sees it. Gives its words. */
export function oneStatement(sql: string): string[] {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const [statement, ...others] = readStatements(sql, 'postgres')
  if (!statement) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement is run at a time. Remove the others.')
  return statement.words
}

/**
 * Refuses what the server could read but must not do: COPY writes files and runs programs, SET and LOCK last, DO and
 * CALL decide for themselves. Asked after the server has read the statement: of a misspelt one, it knows best what is
 * wrong.
 */
export function refuseUnlessReading(words: string[]): void {
  const [first = 'such a statement', ...others] = words
  if (!allowed.has(first)) {
    const others = 'only SELECT, WITH, VALUES, TABLE, SHOW and EXPLAIN are run'
    throw new EngineError('refused', `${first.toUpperCase()} is not allowed: ${others}.`)
  }
  // EXPLAIN ANALYZE CREATE TABLE AS makes the table, in a read-only transaction too. The word is reserved, so it is no name.
  if (first === 'explain' && others.includes('create')) {
    throw new EngineError('refused', 'CREATE is not allowed, nor is it explained: only what reads is.')
  }
}

/** `$1` is for programs that send values beside the statement; here it would have none. */
export function refuseParameters(count: number): void {
  if (count === 0) return
  throw new EngineError('failed', 'There is no parameter $1. Write a parameter of the query as {{name}}.')
}
