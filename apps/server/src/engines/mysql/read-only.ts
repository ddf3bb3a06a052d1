/**
 * Decides which statements reach the server at all. They run in a read-only transaction, so this is not what protects the
 * data: it rejects what such a transaction still allows (locks, files, variables), with a clear message.
 */
import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { mysqlSyntax } from './mysql-syntax.ts'

const readingWords = new Set(['select', 'with', 'show', 'describe', 'desc', 'explain', 'values', 'table'])

/** Reserved words, which cannot be unquoted column names, and what they would do. */
const forbiddenWords: [words: string[], does: string][] = [
  [['into'], 'INTO writes to files or variables'],
  [['lock'], 'LOCK locks rows'],
  [['for', 'share'], 'FOR SHARE locks rows'],
  [['update'], 'UPDATE changes or locks rows'],
  [['delete'], 'DELETE removes rows'],
]

/** Whether the statement reads; one that does not is never executed. Throws if it must not even reach the server. */
export function isReadStatement(sql: string): boolean {
  const statements = readStatements(sql, mysqlSyntax.lexicalRules)
  if (statements.length > 1) {
    throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  }
  const [statement] = statements
  if (statement === undefined) return false
  if (statement.unclear !== null) {
    throw new EngineError('refused', `Cannot tell what the statement does because of ${statement.unclear}.`)
  }
  const { words } = statement
  if (!/[(a-z]/i.test(sql[statement.start]!) || !readingWords.has(words[0] ?? '')) return false
  for (const [forbidden, does] of forbiddenWords) {
    if (containsSequence(words, forbidden)) {
      const hint = 'If it is a column name, put it in backticks.'
      throw new EngineError('refused', `Only statements that read data can run, and ${does}. ${hint}`)
    }
  }
  return true
}

function containsSequence(words: string[], wanted: string[]): boolean {
  return words.some((_, index) => wanted.every((word, offset) => words[index + offset] === word))
}

export function notAReadStatement(): EngineError {
  const reading = 'SELECT, WITH, VALUES, TABLE, SHOW, DESCRIBE or EXPLAIN'
  return new EngineError('refused', `Only statements that read data can run: ${reading}.`)
}
