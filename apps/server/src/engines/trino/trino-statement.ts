import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { trinoSyntax } from './trino-syntax.ts'

const readingWords = new Set(['select', 'with', 'values', 'table', 'show', 'describe', 'desc'])
/** Between EXPLAIN and the statement it explains. */
const explainWords = new Set([
  'analyze', 'verbose', 'type', 'format', 'logical', 'distributed', 'validate', 'io', 'text', 'graphviz', 'json',
])

/**
 * The text of the single statement, without its semicolon. Anything but a statement that reads is rejected here, with a clear
 * message; what gets past runs in a read-only transaction. EXPLAIN ANALYZE executes its statement, so that has to read, too.
 */
export function checkStatement(sql: string): string {
  const [only, ...others] = readStatements(sql, trinoSyntax.lexicalRules)
  if (!only) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  const words = only.words[0] === 'explain' ? only.words.slice(1).filter(isStatementWord()) : only.words
  const [first] = words
  if (first === undefined && only.unclear !== null) {
    throw new EngineError('refused', `Cannot tell what the statement does because of ${only.unclear}.`)
  }
  if (first !== undefined && knownWords.has(first) && !readingWords.has(first)) {
    throw new EngineError('refused', `${first.toUpperCase()} statements are not allowed. Only statements that read data can run.`)
  }
  // The position of an error counts from the start of the text, so what comes before the statement stays.
  return sql.slice(0, only.end)
}

/** True from the first word on that belongs to the explained statement. */
function isStatementWord(): (word: string) => boolean {
  let hasBegun = false
  return (word) => {
    hasBegun ||= !explainWords.has(word)
    return hasBegun
  }
}

/** Words that begin a statement. With any other one the statement fails with the server's own message. */
const knownWords = new Set([
  ...readingWords, 'alter', 'analyze', 'call', 'comment', 'commit', 'create', 'deallocate', 'delete', 'deny', 'drop', 'execute',
  'explain', 'grant', 'insert', 'merge', 'prepare', 'refresh', 'rename', 'reset', 'revoke', 'rollback', 'set', 'start', 'truncate',
  'update', 'use',
])
