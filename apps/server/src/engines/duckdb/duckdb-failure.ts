/** Describes a statement's failure: DuckDB's own message, without the service's paths, and its position in the SQL. */
import { EngineError } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { excerptAt } from '../error-excerpt.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { positionAt } from './duckdb-error-position.ts'
import type { Failure } from './protocol.ts'

/** The disk is full. The engine logs this, because only the operator can fix it. */
export const noSpaceToSpill =
  'There is not enough disk space for the data that does not fit into memory. ' +
  'Change the statement to read or sort less data, or ask the operator to free disk space.'

export function describeFailure(error: unknown, { paths, sql = '' }: { paths: string[]; sql?: string }): Failure {
  if (error instanceof EngineError) return { errorKind: error.kind, message: error.message, position: error.position, isSpent: false }
  if (error instanceof TooManyBytes) {
    return { errorKind: 'failed', message: rowTooLarge, position: null, isSpent: true }
  }
  // The library converts variants recursively.
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    const message = 'A value in the result is nested too deeply to be read. Select parts of it, or cast it to text.'
    return { errorKind: 'failed', message, position: null, isSpent: true }
  }
  let { message, position } = readMessage(error instanceof Error ? error.message : String(error), sql)
  for (const path of paths) message = message.replaceAll(path, 'the database file')
  // Drop DuckDB's advice to change settings, which are locked.
  message = message.split('\n\nPossible solutions:')[0]!.trim()
  if (/no space left on device|disk quota exceeded|ENOSPC/i.test(message)) {
    return { errorKind: 'failed', message: noSpaceToSpill, position: null, isSpent: true }
  }
  // Node throws RangeError when it cannot allocate a buffer. Memory allocated before the failure is not always freed.
  const isOutOfMemory = error instanceof RangeError || /^Out of Memory Error|bad[_ ]alloc/i.test(message)
  if (isOutOfMemory) message = `The statement used more memory than it may use. ${message}`
  const errorKind = message.startsWith('Permission Error') ? 'refused' : 'failed'
  if (position) message = `${message}\n\n${excerptAt(sql, position)}`
  return { errorKind, message, position, isSpent: isOutOfMemory }
}

/** An error with `errors_as_json`. Parser errors are prefixed with `Parser Error:`. */
interface JsonError {
  exception_type: string
  exception_message: string
  /** In bytes, from 0. */
  position?: string
  /** The name that was not found, if that is the error. */
  name?: string
}

function readMessage(text: string, sql: string): { message: string; position: ErrorPosition | null } {
  const json = readJson(text.slice(text.indexOf('{')))
  if (!json) return { message: text, position: null }
  const message = `${json.exception_type} Error: ${json.exception_message}`
  if (json.position === undefined) return { message, position: null }
  return { message, position: positionAt(sql, { offsetBytes: Number(json.position), name: json.name }) }
}

function readJson(text: string): JsonError | undefined {
  try {
    const value = JSON.parse(text) as Partial<JsonError> | null
    return typeof value?.exception_message === 'string' ? (value as JsonError) : undefined
  } catch {
    // Not a DuckDB error, or one from before `errors_as_json` was set.
    return undefined
  }
}
