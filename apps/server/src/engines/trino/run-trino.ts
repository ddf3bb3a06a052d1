import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError } from '../engine.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
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
  let ending: Promise<void> | undefined
  let isFinished = false

  function finish(): void {
    if (isFinished) return
    isFinished = true
    signal.removeEventListener('abort', stop)
    options.onOver()
  }

  function end(): Promise<void> {
    ending ??= query.cancel().then(finish)
    return ending
  }

  const stop = () => void end()

  /** The error to report, once the server no longer runs the statement. */
  async function failure(error: unknown): Promise<EngineError> {
    await end()
    if (signal.aborted) return new EngineError('stopped', 'The statement was stopped.')
    if (error instanceof TooManyBytes) return new EngineError('failed', rowTooLarge)
    if (error instanceof NotJson || error instanceof SyntaxError) return new EngineError('unreachable', noTrino, { cause: error })
    if (error instanceof ServerUnavailable) server.backOff()
    if (error instanceof EngineError) return error
    throw error
  }

  async function readPage(): Promise<TrinoPage | null> {
    const page = await query.next()
    if (signal.aborted) throw new EngineError('stopped', 'The statement was stopped.')
    return page
  }

  /** The pages until the columns are known, which have no rows. */
  async function open(): Promise<TrinoPage | null> {
    for (;;) {
      const page = await readPage()
      if (page === null || query.columns()) return page
      reportProgress(page)
    }
  }

  const reportProgress = ({ stats: { progressPercentage: percent } }: TrinoPage) => {
    if (percent !== undefined) onProgress?.(Math.min(100, percent))
  }

  // A signal that aborts before the server knows the statement is noticed with the first page.
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const first = await open().catch(async (error: unknown) => Promise.reject(await failure(error)))
  const columns = query.columns() ?? []
  let statistics: RunStatistics | undefined

  async function* batches(): AsyncGenerator<RowBatch> {
    let isRead = false
    try {
      let hasRows = false
      for (let page = first; page !== null; ) {
        // Fetch the next page while this one is consumed.
        const upcoming = readPage()
        upcoming.catch(() => {})
        hasRows ||= page.batches.length > 0
        if (!hasRows) reportProgress(page)
        for (const batch of page.batches) yield batch
        const { stats } = page
        page = await upcoming
        if (page === null) statistics = { rowsRead: stats.processedRows ?? null, rowsWritten: 0, ...bytesOf(stats.processedBytes) }
      }
      isRead = true
      finish()
    } catch (error) {
      isRead = true
      throw await failure(error)
    } finally {
      // The reader stopped early: cancel the statement instead of reading to its end.
      if (!isRead) await end()
    }
  }

  return {
    fields: columns.map((column) => ({ name: column.name, type: columnReader(column).fieldType })),
    batches: batches(),
    statistics() {
      if (statistics === undefined) throw new Error('Statistics are known once all batches have been read.')
      return statistics
    },
  }
}

const bytesOf = (bytesRead: number | undefined) => (bytesRead === undefined ? {} : { bytesRead })
