import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError, knownStatistics, statementStopped } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'
import { cancelStatement } from './cancel-clickhouse.ts'
import { textOf } from '../http/pooled-exchange.ts'
import { statementEnd } from '../http/statement-end.ts'
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

/** Runs a statement on one server. Resolves when the fields are known. Throws `ServerUnavailable`, and is over, when the server goes away before it answers. */
export async function runOnServer(options: RunningOptions): Promise<EngineResult> {
  const { server, facts, sql, queryId, signal, onProgress, clock, log } = options
  const exchange = server.send(sql, { ...facts.settings, query_id: queryId })
  const { finish, end, untilRead } = statementEnd({
    signal,
    cancel: () => cancelStatement({ server, exchange, queryId, cancelsOnClose: facts.cancelsOnClose, clock, log }),
    onOver: options.onOver,
  })

  /** Rejects with the error to report, once the server no longer runs the statement. */
  async function fail(error: unknown): Promise<never> {
    if (signal.aborted) {
      await end()
      throw statementStopped()
    }
    // While the response is incomplete, the server may still be running the statement.
    if (exchange.isComplete()) finish()
    else await end()
    throw failure(error)
  }

  function failure(error: unknown): EngineError {
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

  const body = await open().catch(fail)
  let statistics: RunStatistics | undefined

  async function* readRows(): AsyncGenerator<RowBatch, void> {
    for (;;) {
      const step = await body.batches.next()
      if (signal.aborted) throw new IncompleteResult('')
      if (step.done) {
        statistics = { ...step.value, rowsWritten: 0 }
        return
      }
      yield step.value
    }
  }

  return {
    fields: body.fields,
    batches: untilRead(readRows(), fail),
    statistics: () => knownStatistics(statistics),
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
