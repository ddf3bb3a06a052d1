import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError, knownStatistics } from '../engine.ts'
import { followStatement } from '../http/paged-statement.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { NotJson } from '../json-values/json-text.ts'
import { columnReader } from './trino-columns.ts'
import type { TrinoConnection } from './trino-connection.ts'
import { noTrino } from './trino-failure.ts'
import { startQuery, type TrinoPage } from './trino-query.ts'

export interface RunningOptions {
  server: TrinoConnection
  sql: string
  /** Of the session: the statement runs in a read-only transaction. */
  headers: Record<string, string>
  signal: AbortSignal
  onProgress: ((percent: number) => void) | undefined
  clock: Clock
  log: Log
  /** Called once, when the server no longer runs the statement. */
  onOver: () => void
}

/** Resolves when the fields are known. */
export async function runOnTrino(options: RunningOptions): Promise<EngineResult> {
  const { server, sql, headers, signal, onProgress, clock, log } = options
  const query = startQuery({ server, sql, headers, clock, log })
  const statement = followStatement({ next: () => query.next(), cancel: () => query.cancel(), signal, describe, onOver: options.onOver })

  function describe(error: unknown): unknown {
    if (error instanceof NotJson || error instanceof SyntaxError) return new EngineError('unreachable', noTrino, { cause: error })
    if (error instanceof ServerUnavailable) server.backOff()
    return error
  }

  /** The pages until the columns are known, which have no rows. */
  async function open(): Promise<TrinoPage | null> {
    for (;;) {
      const page = await statement.next()
      if (page === null || query.columns()) return page
      reportProgress(page)
    }
  }

  const reportProgress = (page: TrinoPage) => {
    const { progressPercentage: percent } = page.stats()
    if (percent !== undefined) onProgress?.(Math.min(100, percent))
  }

  // A signal that aborts before the server knows the statement is noticed with the first page.
  const first = await open().catch(statement.fail)
  const columns = query.columns() ?? []
  let hasRows = false
  let statistics: RunStatistics | undefined

  function* readPage(page: TrinoPage): Generator<RowBatch> {
    hasRows ||= page.hasRows
    if (!hasRows) reportProgress(page)
    yield* page.batches()
    statistics = statisticsOf(page)
  }

  return {
    fields: columns.map((column) => ({ name: column.name, type: columnReader(column).fieldType })),
    batches: statement.batches(first, readPage),
    statistics: () => knownStatistics(statistics),
  }
}

function statisticsOf(page: TrinoPage): RunStatistics {
  const { processedRows, processedBytes } = page.stats()
  return { rowsRead: processedRows ?? null, rowsWritten: 0, ...(processedBytes !== undefined && { bytesRead: processedBytes }) }
}
