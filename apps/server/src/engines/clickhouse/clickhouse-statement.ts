import { EngineError } from '../engine.ts'
import { readStatements } from '../sql/split-statements.ts'

/**
 * What changes something, or the server, or the session that a statement does not have. `readonly` stops almost all
 * of it at the server, but not KILL, with which one person's statement could end another's.
 */
const forbidden = new Set([
  'alter', 'attach', 'backup', 'begin', 'check', 'commit', 'create', 'delete', 'detach', 'drop', 'exchange', 'execute',
  'grant', 'insert', 'kill', 'move', 'optimize', 'rename', 'replace', 'restore', 'revoke', 'rollback', 'set', 'system',
  'truncate', 'undrop', 'update', 'use',
])

/** Refuses what is not one statement that reads. All else is left to the server, which is told to run it read-only. */
export function checkStatement(sql: string): void {
  const statements = readStatements(sql, 'clickhouse')
  const [only, ...others] = statements
  if (!only) throw new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  if (others.length > 0) throw new EngineError('refused', 'Only one statement is run at a time. Remove the others.')
  const [first] = only.words
  if (first === undefined && only.unclear !== null) {
    throw new EngineError('refused', `What the statement does cannot be told because of ${only.unclear}.`)
  }
  if (first !== undefined && forbidden.has(first)) {
    const name = first.toUpperCase()
    throw new EngineError('refused', `${name} statements are not allowed: only statements that read are run.`)
  }
}
