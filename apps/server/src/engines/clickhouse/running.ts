/**
 * A *running* statement was given to one server. It is *over* when its result is read to the end, when it has failed,
 * or when it was ended from here and the server is rid of it; then, and only then, its turn is another's.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { EngineError } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'
import { endStatement } from './cancel-clickhouse.ts'
import { textOf } from './clickhouse-exchange.ts'
import type { ServerFacts } from './facts.ts'
import { describeAnswer, describeException, findException, notThere } from './clickhouse-failure.ts'
import { tellProgress } from './clickhouse-progress.ts'
import { NotWhole, OtherFormat, readResult } from './result.ts'
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
  /** Called once, when the server is rid of the statement. */
  onOver: () => void
}

/** Resolves when the fields are known. Throws `NotThere`, and is over, when the server went away before it answered. */
export async function runAt(options: RunningOptions): Promise<EngineResult> {
  const { server, facts, sql, queryId, signal, onProgress, clock, log } = options
  const exchange = server.send(sql, { ...facts.settings, query_id: queryId })
  const { isEndedByClosing } = facts
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
      : endStatement({ server, exchange, queryId, isEndedByClosing, clock, log }).then(finish)
    return ending
  }

  const stop = () => void end()
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()

  /** Why it came to this, once the server is rid of the statement. */
  async function failure(error: unknown): Promise<EngineError> {
    if (signal.aborted) {
      await end()
      return new EngineError('stopped', 'The statement was stopped.')
    }
    // Where the answer has not come to its end, the server may still be at it.
    if (exchange.isComplete()) finish()
    else await end()
    if (error instanceof EngineError) return error
    if (error instanceof NotWhole) {
      const exception = findException(error.tail)
      if (exception) return describeException(exception, sql)
      server.rest()
      return new EngineError('unreachable', wentAway, { cause: error })
    }
    if (error instanceof OtherFormat) return new EngineError('refused', otherFormat)
    if (error instanceof TooManyBytes) return new EngineError('failed', tooManyBytes)
    return notThere(error)
  }

  async function open() {
    const answered = new AbortController()
    if (onProgress) void tellProgress({ server, queryId, clock, signal: answered.signal, onProgress })
    try {
      const { status, headers } = await exchange.head.catch((error: unknown) => Promise.reject(notThere(error)))
      if (status !== 200) throw describeAnswer(await textOf(exchange), sql)
      if (isOtherFormat(headers)) throw new OtherFormat()
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
        if (signal.aborted) throw new NotWhole('')
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
      // The reader has enough: the statement is ended, not read to its end for nobody.
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

/** Versions before 20.12 tell it by the type of the content only. */
function isOtherFormat(headers: Record<string, string | string[] | undefined>): boolean {
  const format = headers['x-clickhouse-format']
  if (format !== undefined) return format !== 'JSONCompact'
  return !String(headers['content-type']).startsWith('application/json')
}

const wentAway = 'The database server went away while the result was read. Refresh to run the statement again.'
const otherFormat =
  'The statement has a FORMAT clause of its own. Leave it out: results are kept in one form and exported in others.'
const largestMib = limitBytes / 1024 / 1024
const tooManyBytes = `A single row is larger than ${largestMib} MiB. Select less of it, for example with substring().`
