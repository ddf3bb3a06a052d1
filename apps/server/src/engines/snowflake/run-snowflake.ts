import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { EngineError, knownStatistics, statementStopped } from '../engine.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { rewriteRow } from '../json-values/json-members.ts'
import { closeBracket, comma, NotJson, type Rewriter, skipSpace } from '../json-values/json-text.ts'
import { rowBatcher } from '../row-batches.ts'
import type { SnowflakeConnection } from './snowflake-connection.ts'
import { noSnowflake } from './snowflake-failure.ts'
import type { Rows, SnowflakeQuery } from './snowflake-query.ts'
import { columnReader } from './snowflake-values.ts'

/** Resolves when the fields are known, which is when the server has the whole result. */
export async function runOnSnowflake(options: {
  query: SnowflakeQuery
  server: SnowflakeConnection
  signal: AbortSignal
  /** Called once, when the server no longer runs the statement. */
  onOver: () => void
}): Promise<EngineResult> {
  const { query, server, signal } = options
  const stop = () => void query.cancel()

  /** The error to report, once the server no longer runs the statement. */
  async function failure(error: unknown): Promise<EngineError> {
    if (signal.aborted) {
      await query.cancel()
      return statementStopped()
    }
    if (error instanceof TooManyBytes) return new EngineError('failed', rowTooLarge)
    if (error instanceof NotJson || error instanceof SyntaxError) return new ServerUnavailable(noSnowflake, { wasConnected: false, cause: error })
    if (error instanceof ServerUnavailable) server.backOff()
    if (error instanceof EngineError) return error
    throw error
  }

  async function fail(error: unknown): Promise<never> {
    throw await failure(error)
  }

  function checkNotStopped(): void {
    if (signal.aborted) throw statementStopped()
  }

  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const { columns, partitionCount, rows: first } = await query
    .result()
    .then((result) => {
      checkNotStopped()
      return result
    })
    .catch(fail)
    .finally(() => {
      signal.removeEventListener('abort', stop)
      options.onOver()
    })
  const readers = columns.map(columnReader)
  const rewriters = readers.map(({ rewrite }) => rewrite)
  let statistics: RunStatistics | undefined

  async function* batches(): AsyncGenerator<RowBatch> {
    try {
      let rows: Rows | null = first
      for (let index = 1; rows !== null; index++) {
        // Fetch the next partition while this one is consumed.
        const upcoming: Promise<Rows | null> = index < partitionCount ? query.readPartition(index) : Promise.resolve(null)
        upcoming.catch(() => {})
        for (const batch of batchesOf(rows, rewriters)) {
          checkNotStopped()
          yield batch
        }
        checkNotStopped()
        rows = await upcoming
      }
      statistics = { rowsRead: null, rowsWritten: 0 }
    } catch (error) {
      await fail(error)
    }
  }

  return {
    fields: columns.map(({ name }, index) => ({ name, type: readers[index]!.fieldType })),
    batches: batches(),
    statistics: () => knownStatistics(statistics),
  }
}

function* batchesOf({ source, start }: Rows, rewriters: Rewriter[]): Generator<RowBatch> {
  if (start === undefined) return
  const rows = rowBatcher()
  let at = skipSpace(source, start + 1)
  while (source[at] !== closeBracket) {
    if (source[at] === comma) at = skipSpace(source, at + 1)
    at = rewriteRow(source, at, rewriters, rows)
    if (rows.isFull()) yield rows.take()
  }
  if (!rows.isEmpty()) yield rows.take()
}
