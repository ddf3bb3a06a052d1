/** Runs one statement in a sandbox and answers with frames. */
import duckdb, { type Connection, type ExtractedStatements, type PreparedStatement } from '@duckdb/node-bindings'
import { EngineError } from '../engine.ts'
import { limitBytes, TooManyBytes } from './encode/json-bytes.ts'
import { rowEncoder } from './encode/rows.ts'
import { encodeJsonFrame, frameKind, type End, type Failure } from './protocol.ts'
import type { Sandbox } from './sandbox.ts'

export async function runStatement(options: {
  sandbox: Sandbox
  connection: Connection
  sql: string
  isSpent: () => boolean
  send: (frame: Uint8Array) => void
}): Promise<void> {
  const { sandbox, connection, sql, isSpent, send } = options
  const prepared = await prepareSelect(connection, sql)
  const result = await duckdb.execute_prepared_streaming(prepared)
  const { fields, sendRows } = rowEncoder(result)
  send(encodeJsonFrame(frameKind.fields, fields))
  await sendRows(send)
  const rowsRead = await sandbox.rowsRead().catch(() => null)
  const end: End = { statistics: { rowsRead, rowsWritten: 0 }, isSpent: isSpent() }
  send(encodeJsonFrame(frameKind.end, end))
}

async function prepareSelect(connection: Connection, sql: string): Promise<PreparedStatement> {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const { extracted_statements: statements, statement_count: count } = await duckdb.extract_statements(connection, sql)
  if (count === 0) {
    const problem = extractionProblem(statements)
    throw problem
      ? new EngineError('failed', problem)
      : new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  }
  const only = count === 1 ? await duckdb.prepare_extracted_statement(connection, statements, 0) : undefined
  if (only === undefined) throw new EngineError('refused', severalStatements(sql))
  const type = duckdb.prepared_statement_type(only)
  if (type !== duckdb.StatementType.SELECT) {
    const name = (duckdb.StatementType[type] ?? 'unknown').replaceAll('_', ' ')
    throw new EngineError('refused', `Statements of type ${name} are not allowed: only SELECT statements are run.`)
  }
  return only
}

/** Why nothing was extracted; undefined when there was nothing: the binding throws rather than give an empty text. */
function extractionProblem(statements: ExtractedStatements): string | undefined {
  try {
    return duckdb.extract_statements_error(statements)
  } catch {
    return undefined
  }
}

/** PIVOT without a list of values is two statements to DuckDB: the first makes a type of the values it finds. */
function severalStatements(sql: string): string {
  const message = 'Only one statement is run at a time. Remove the others.'
  return /\bpivot\b/i.test(sql) ? `${message} (A PIVOT counts as one when its ON has an IN list of values.)` : message
}

/** What a failure is called, in DuckDB's own words but without paths of ours. */
export function describeFailure(error: unknown, paths: string[]): Failure {
  if (error instanceof EngineError) return { errorKind: error.kind, message: error.message, isSpent: false }
  if (error instanceof TooManyBytes) {
    const message = `A single row is larger than ${limitBytes / 1024 / 1024} MiB. Select less of it, for example with left().`
    return { errorKind: 'failed', message, isSpent: true }
  }
  let message = error instanceof Error ? error.message : String(error)
  for (const path of paths) message = message.replaceAll(path, 'the database file')
  // Its advice is to change settings, which are locked.
  message = message.split('\n\nPossible solutions:')[0]!.trim()
  // A RangeError is node's own: no room for a buffer. What was allocated up to the failure is not always given back.
  const isOutOfMemory = error instanceof RangeError || /^Out of Memory Error|bad[_ ]alloc/i.test(message)
  if (isOutOfMemory) message = `The statement used more memory than it is allowed. ${message}`
  return { errorKind: message.startsWith('Permission Error') ? 'refused' : 'failed', message, isSpent: isOutOfMemory }
}
