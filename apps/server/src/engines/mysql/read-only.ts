/**
 * Which statements are let through to the server at all. What is let through runs in a read-only transaction, so this
 * is not what keeps the data safe: it keeps out what such a transaction allows (locks, files, variables) and says why
 * in plain words.
 */
import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'

const readingWords = new Set(['select', 'with', 'show', 'describe', 'desc', 'explain', 'values', 'table'])

/** Words that MySQL reserves, so that bare they are never the name of a column, and what they would do. */
const forbiddenWords: [words: string[], does: string][] = [
  [['into'], 'INTO writes to files or variables'],
  [['lock'], 'LOCK holds on to rows'],
  [['for', 'share'], 'FOR SHARE holds on to rows'],
  [['update'], 'UPDATE changes rows or holds on to them'],
  [['delete'], 'DELETE removes rows'],
]

/** Throws when the text must not reach the server. Whether it reads; what does not is never executed. */
export function doesRead(sql: string): boolean {
  const statements = readStatements(sql, 'mysql')
  if (statements.length > 1) {
    throw new EngineError('refused', 'Only one statement can be run at a time; this text holds more than one.')
  }
  const [statement] = statements
  if (statement === undefined) return false
  if (statement.unclear !== null) {
    throw new EngineError('refused', `The statement holds ${statement.unclear}, so it cannot be told what it would do.`)
  }
  const { words } = statement
  if (!/[(a-z]/i.test(sql[statement.start]!) || !readingWords.has(words[0] ?? '')) return false
  for (const [forbidden, does] of forbiddenWords) {
    if (holds(words, forbidden)) {
      const hint = 'If it is the name of a column, put it into backticks.'
      throw new EngineError('refused', `Only statements that read can be run, and ${does}. ${hint}`)
    }
  }
  return true
}

function holds(words: string[], wanted: string[]): boolean {
  return words.some((_, index) => wanted.every((word, offset) => words[index + offset] === word))
}

export function refuseToWrite(): EngineError {
  const reading = 'SELECT, WITH, VALUES, TABLE, SHOW, DESCRIBE or EXPLAIN'
  return new EngineError('refused', `Only statements that read can be run: ${reading}.`)
}
