/**
 * Runs a statement on one server. The statement is *over* when its result has been read to the end, when it has failed,
 * or when it was canceled and the server no longer runs it. Only then does it release its permit.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'
import { cancelStatement } from './cancel-clickhouse.ts'
import { textOf } from '../http/pooled-exchange.ts'
import type { ServerFacts } from './facts.ts'
import { describeResponse, describeException, findException, toServerUnavailable } from './clickhouse-failure.ts'
import { reportProgress } from './clickhouse-progress.ts'
import { IncompleteResult, UnexpectedFormat, readResult } from './result.ts'
import type { Server } from './clickhouse-connection.ts'

export interface RunningOptions {
  server: Server
  facts: ServerFacts
  sql: string
  queryId: string
  signal: AbortSignal
  onProgress: ((percent: number) => void) | undefined
  clock: Clock
  log: Log
  /** Called once, when the server no longer runs the statement. */
  onOver: () => void
}

/** Resolves when the fields are known. Throws `ServerUnavailable`, and is over, when the server goes away before it answers. */
export async function runOnServer(options: RunningOptions): Promise<EngineResult> {
  const { server, facts, sql, queryId, signal, onProgress, clock, log } = options
  const exchange = server.send(sql, { ...facts.settings, query_id: queryId })
  const { cancelsOnClose } = facts
  let ending: Promise<void> | undefined
  let isOver = false

  function finish(): void {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', stop)
    options.onOver()
  }

  function end(): Promise<void> {
    ending ??= isOver
      ? Promise.resolve()
      : cancelStatement({ server, exchange, queryId, cancelsOnClose, clock, log }).then(finish)
    return ending
  }

  const stop = () => void end()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  /** The error to report, once the server no longer runs the statement. */
  async function failure(error: unknown): Promise<EngineError> {
    if (signal.aborted) {
      await end()
      return new EngineError('stopped', 'The statement was stopped.')
    }
    // While the response is incomplete, the server may still be running the statement.
    if (exchange.isComplete()) finish()
    else await end()
    if (error instanceof EngineError) return error
    if (error instanceof IncompleteResult) {
      const exception = findException(error.tail)
      if (exception) return describeException(exception, sql)
      server.backOff()
      return new EngineError('unreachable', wentAway, { cause: error })
    }
    if (error instanceof UnexpectedFormat) return new EngineError('refused', formatClause)
    if (error instanceof TooManyBytes) return new EngineError('failed', tooManyBytes)
    return toServerUnavailable(error)
  }

  async function open() {
    const answered = new AbortController()
    if (onProgress) void reportProgress({ server, queryId, clock, signal: answered.signal, onProgress })
    try {
      const { status, headers } = await exchange.head.catch((error: unknown) => Promise.reject(toServerUnavailable(error)))
      if (status !== 200) throw describeResponse(await textOf(exchange), sql)
      if (isUnexpectedFormat(headers)) throw new UnexpectedFormat()
      return await readResult({ next: () => exchange.next(), times: facts.times })
    } finally {
      answered.abort()
    }
  }

  const body = await open().catch(async (error: unknown) => Promise.reject(await failure(error)))
  let statistics: RunStatistics | undefined

  async function* batches(): AsyncGenerator<RowBatch> {
    let isRead = false
    try {
      for (;;) {
        const step = await body.batches.next()
        if (signal.aborted) throw new IncompleteResult('')
        if (step.done) {
          statistics = { ...step.value, rowsWritten: 0 }
          isRead = true
          finish()
          return
        }
        yield step.value
      }
    } catch (error) {
      isRead = true
      throw await failure(error)
    } finally {
      // The reader stopped early: cancel the statement instead of reading to its end.
      if (!isRead) await end()
    }
  }

  return {
    fields: body.fields,
    batches: batches(),
    statistics() {
      if (statistics === undefined) throw new Error('Statistics are known once all batches have been read.')
      return statistics
    },
  }
}

/** Versions before 20.12 only reveal it in the content type. */
function isUnexpectedFormat(headers: Record<string, string | string[] | undefined>): boolean {
  const format = headers['x-clickhouse-format']
  if (format !== undefined) return format !== 'JSONCompact'
  return !String(headers['content-type']).startsWith('application/json')
}

const wentAway = 'The database server went away while the result was read. Refresh to run the statement again.'
const formatClause =
  'The statement has a FORMAT clause. Remove it: results are stored in one format and can be exported in others.'
const largestMib = limitBytes / 1024 / 1024
const tooManyBytes =
  `A single row is larger than ${largestMib} MiB. Select fewer columns or shorten long values, for example with substring().`
