import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'
import { clickhouseSyntax } from './clickhouse-syntax.ts'

/**
 * Statements that change data, the server or the session. The server's `readonly` mode rejects almost all of them, but
 * not KILL, with which one user could cancel another's statement.
 */
const forbidden = new Set([
  'alter', 'attach', 'backup', 'begin', 'check', 'commit', 'create', 'delete', 'detach', 'drop', 'exchange', 'execute',
  'grant', 'insert', 'kill', 'move', 'optimize', 'rename', 'replace', 'restore', 'revoke', 'rollback', 'set', 'system',
  'truncate', 'undrop', 'update', 'use',
])

/** Rejects anything but a single statement that reads. The server runs the rest in read-only mode. */
export function checkStatement(sql: string): void {
  const statements = readStatements(sql, clickhouseSyntax.lexicalRules)
  const [only, ...others] = statements
  if (!only) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement can run at a time. Remove the others.')
  const [first] = only.words
  if (first === undefined && only.unclear !== null) {
    throw new EngineError('refused', `Cannot tell what the statement does because of ${only.unclear}.`)
  }
  if (first !== undefined && forbidden.has(first)) {
    const name = first.toUpperCase()
    throw new EngineError('refused', `${name} statements are not allowed. Only statements that read data can run.`)
  }
}
