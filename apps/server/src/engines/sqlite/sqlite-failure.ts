import type { Failure } from '../duckdb/protocol.ts'
import { EngineError } from '../engine.ts'
import { excerptAt } from '../error-excerpt.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { positionOf } from './sqlite-statement.ts'

const outOfMemory = 7
const notAuthorized = 23

/** SQLite's own message, and where the error is. */
export function describeFailure(error: unknown, sql: string): Failure {
  const failed = { errorKind: 'failed', position: null, isSpent: false } as const
  if (error instanceof EngineError) return { errorKind: error.kind, message: error.message, position: error.position, isSpent: false }
  if (error instanceof TooManyBytes) return { ...failed, message: rowTooLarge, isSpent: true }
  const message = error instanceof Error ? error.message : String(error)
  const code = (error as { errcode?: unknown }).errcode
  if (code === outOfMemory || error instanceof RangeError) {
    return { ...failed, message: 'The statement used more memory than it may use.', isSpent: true }
  }
  if (code === notAuthorized || /not authorized|authorization denied|prohibited/.test(message)) {
    const reason = 'The statement is not allowed. Statements can only read the tables of this file.'
    return { ...failed, errorKind: 'refused', message: `${reason} (SQLite: ${message})` }
  }
  const position = positionOf(message, sql)
  return { ...failed, message: position ? `${message}\n\n${excerptAt(sql, position)}` : message, position }
}

/** The file is missing or is not a database. */
export function describeOpenFailure(error: unknown, paths: string[]): Failure {
  let message = error instanceof Error ? error.message : String(error)
  for (const each of paths) message = message.replaceAll(each, 'the database file')
  return { errorKind: 'unreachable', message: `The database cannot be opened: ${message}`, position: null, isSpent: false }
}
