/** Runs one statement in a sandbox and answers with frames. */
import duckdb, { type Connection, type ExtractedStatements, type PreparedStatement } from '@duckdb/node-bindings'
import { EngineError } from '../engine.ts'
import { rowEncoder } from './encode/encode-rows.ts'
import { withProgressReports } from './duckdb-progress.ts'
import { makeFrameWriter } from './frame-writer.ts'
import { encodeJsonFrame, frameKind, type End } from './protocol.ts'
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
  const result = await withProgressReports({ connection, send }, () => duckdb.execute_prepared_streaming(prepared))
  const { fields, sendRows } = rowEncoder(result)
  const writer = makeFrameWriter(send)
  writer.write(encodeJsonFrame(frameKind.fields, fields))
  await sendRows(writer.write)
  const rowsRead = await sandbox.rowsRead().catch(() => null)
  const end: End = { statistics: { rowsRead, rowsWritten: 0 }, isSpent: isSpent() }
  writer.write(encodeJsonFrame(frameKind.end, end))
  writer.flush()
}

async function prepareSelect(connection: Connection, sql: string): Promise<PreparedStatement> {
  if (sql.includes('\0')) throw new EngineError('refused', 'The SQL contains a NUL character. Remove it and run again.')
  const { extracted_statements: statements, statement_count: count } = await duckdb.extract_statements(connection, sql)
  if (count === 0) {
    const problem = extractionProblem(statements)
    throw problem
      ? new Error(problem)
      : new EngineError('refused', 'There is no statement to run. Write one SELECT statement.')
  }
  const only = count === 1 ? await duckdb.prepare_extracted_statement(connection, statements, 0) : undefined
  if (only === undefined) throw new EngineError('refused', severalStatements(sql))
  const type = duckdb.prepared_statement_type(only)
  if (type !== duckdb.StatementType.SELECT) {
    const name = (duckdb.StatementType[type] ?? 'unknown').replaceAll('_', ' ')
    throw new EngineError('refused', `Statements of type ${name} are not allowed. Only SELECT statements can run.`)
  }
  return only
}

/** Why no statement was extracted. Undefined if the SQL was empty: the binding then throws instead of returning an empty string. */
function extractionProblem(statements: ExtractedStatements): string | undefined {
  try {
    return duckdb.extract_statements_error(statements)
  } catch {
    return undefined
  }
}

/** DuckDB runs PIVOT without a list of values as two statements: the first creates an enum of the values it finds. */
function severalStatements(sql: string): string {
  const message = 'Only one statement can run at a time. Remove the others.'
  return /\bpivot\b/i.test(sql) ? `${message} (A PIVOT counts as one statement if its ON has an IN list of values.)` : message
}
