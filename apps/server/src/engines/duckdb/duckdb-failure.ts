/** What a statement's failure is called, in DuckDB's own words but without paths of ours, and where in the SQL it is. */
import { EngineError } from '../engine.ts'
import type { ErrorPosition } from '../../model/run.ts'
import { excerptAt } from '../error-excerpt.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { positionAt } from './duckdb-error-position.ts'
import type { Failure } from './protocol.ts'

/** The disk is full, which is the operator's to mend: the engine logs it. */
export const noSpaceToSpill =
  'There is not enough disk space for the data that does not fit into memory. ' +
  'Make it read or sort less, or ask the operator to free disk space.'

export function describeFailure(error: unknown, { paths, sql = '' }: { paths: string[]; sql?: string }): Failure {
  if (error instanceof EngineError) return { errorKind: error.kind, message: error.message, position: error.position, isSpent: false }
  if (error instanceof TooManyBytes) {
    return { errorKind: 'failed', message: rowTooLarge, position: null, isSpent: true }
  }
  // Variants are converted by the library, which recurses.
  if (error instanceof RangeError && /call stack/.test(error.message)) {
    const message = 'A value of the result is nested too deeply to be read. Select parts of it, or cast it to text.'
    return { errorKind: 'failed', message, position: null, isSpent: true }
  }
  let { message, position } = readMessage(error instanceof Error ? error.message : String(error), sql)
  for (const path of paths) message = message.replaceAll(path, 'the database file')
  // Its advice is to change settings, which are locked.
  message = message.split('\n\nPossible solutions:')[0]!.trim()
  if (/no space left on device|disk quota exceeded|ENOSPC/i.test(message)) {
    return { errorKind: 'failed', message: noSpaceToSpill, position: null, isSpent: true }
  }
  // A RangeError is node's own: no room for a buffer. What was allocated up to the failure is not always given back.
  const isOutOfMemory = error instanceof RangeError || /^Out of Memory Error|bad[_ ]alloc/i.test(message)
  if (isOutOfMemory) message = `The statement used more memory than it is allowed. ${message}`
  const errorKind = message.startsWith('Permission Error') ? 'refused' : 'failed'
  if (position) message = `${message}\n\n${excerptAt(sql, position)}`
  return { errorKind, message, position, isSpent: isOutOfMemory }
}

/** With `errors_as_json`; the parser's come with `Parser Error:` in front. */
interface JsonError {
  exception_type: string
  exception_message: string
  /** In bytes, from 0. */
  position?: string
  /** What is missing, where something is. */
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
    // A failure that is not DuckDB's, or came before it was told to speak JSON.
    return undefined
  }
}
