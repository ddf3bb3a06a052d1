/**
 * One statement at the server. It is sent with an id of its own, so that sending it twice runs it once. Then the server is asked until the
 * statement has *ended*: with a result, with an error, or because it was canceled. The result is read in *partitions*, the first of which
 * comes with the answer.
 */
import { cancelWithinLimit } from '../http/cancel-within-limit.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { EngineError } from '../engine.ts'
import { endOfValue, readMembers } from '../json-values/json-members.ts'
import { openBracket } from '../json-values/json-text.ts'
import type { SnowflakeConnection } from './snowflake-connection.ts'
import { describeFailure, describeStatus, type Failure } from './snowflake-failure.ts'
import type { SnowflakeColumn } from './snowflake-values.ts'

/** The rows of a response: an array at `start` of `source`, or none. */
export interface Rows {
  source: Buffer
  start: number | undefined
}

export interface SnowflakeResult {
  columns: SnowflakeColumn[]
  partitionCount: number
  /** Of the first partition. */
  rows: Rows
}

export interface SnowflakeQuery {
  /** Resolves when the statement has ended with a result. */
  result(): Promise<SnowflakeResult>
  readPartition(index: number): Promise<Rows>
  /** Resolves when the server no longer runs it. */
  cancel(): Promise<void>
}

/** The database, warehouse and role of a statement, and the parameters of its session. */
export type StatementContext = Record<string, unknown>

interface Frame extends Failure {
  statementHandle?: string
  resultSetMetaData?: { rowType?: SnowflakeColumn[]; partitionInfo?: unknown[] }
}

/** Pauses between questions whether a statement has ended; the last one repeats. */
const pausesMs = [10, 20, 50, 100, 200, 500, 1000, 2000]

const path = '/api/v2/statements'

export function startQuery(options: {
  server: SnowflakeConnection
  sql: string
  context: StatementContext
  requestId: string
  clock: Clock
  log: Log
}): SnowflakeQuery {
  const { server, sql, context, requestId, clock, log } = options
  const canceling = new AbortController()
  let handle: string | undefined
  let hasEnded = false
  let canceled: Promise<void> | undefined

  async function submit() {
    // With `retry`, the server recognizes a statement that it has already received.
    return server.request({ method: 'POST', path: `${path}?async=true&requestId=${requestId}&retry=true`, body: { statement: sql, ...context } })
  }

  let pauseCount = 0

  /** A cancellation ends the pause, and begins with short ones again. */
  async function pause(): Promise<void> {
    const ms = pausesMs[Math.min(pauseCount++, pausesMs.length - 1)]!
    if (canceling.signal.aborted) return clock.sleep(ms)
    await clock.sleep(ms, canceling.signal)
    if (canceling.signal.aborted) pauseCount = 0
  }

  const statementPath = () => `${path}/${encodeURIComponent(handle!)}`

  async function run(): Promise<SnowflakeResult> {
    try {
      let response = await submit()
      while (response.status === 202) {
        handle ??= readFrame(response.body).frame.statementHandle
        if (handle === undefined) throw describeStatus(0, {})
        await pause()
        response = await server.request({ method: 'GET', path: statementPath() })
      }
      return resultOf(response.status, response.body)
    } finally {
      hasEnded = true
    }
  }

  function resultOf(status: number, body: Buffer): SnowflakeResult {
    if (status !== 200) throw failureOf(status, body)
    const { frame, rows } = readFrame(body)
    const { rowType, partitionInfo = [] } = frame.resultSetMetaData ?? {}
    if (!rowType) throw describeStatus(0, {})
    handle ??= frame.statementHandle
    return { columns: rowType, partitionCount: Math.max(1, partitionInfo.length), rows }
  }

  function failureOf(status: number, body: Buffer): EngineError {
    const failure = failureIn(body)
    return status === 422 || status === 408 ? describeFailure(failure, sql) : describeStatus(status, failure)
  }

  const running = run()
  running.catch(() => {})

  async function cancelAtServer(): Promise<void> {
    // Until the first response, there is nothing to cancel by.
    while (handle === undefined && !hasEnded) await Promise.race([running.catch(() => {}), clock.sleep(pausesMs[0]!)])
    if (hasEnded) return
    await server.request({ method: 'POST', path: `${statementPath()}/cancel` })
    canceling.abort()
    await running.catch(() => {})
  }

  return {
    result: () => running,
    async readPartition(index) {
      const { status, body } = await server.request({ method: 'GET', path: `${statementPath()}?partition=${index}` })
      if (status !== 200) throw failureOf(status, body)
      return readFrame(body).rows
    },
    cancel() {
      canceled ??= cancelWithinLimit(cancelAtServer, { clock, log, statement: { engine: 'snowflake' } })
      return canceled
    },
  }
}

/** The members of a response. The rows are left as they are. */
function readFrame(source: Buffer): { frame: Frame; rows: Rows } {
  const frame: Record<string, unknown> = {}
  const rows: Rows = { source, start: undefined }
  readMembers(source, (key, start) => {
    const end = endOfValue(source, start)
    if (key === 'data' && source[start] === openBracket) rows.start = start
    else frame[key] = JSON.parse(source.toString('utf8', start, end))
    return end
  })
  return { frame, rows }
}

/** A proxy's error page has no members. */
function failureIn(body: Buffer): Failure {
  try {
    const { code, message } = readFrame(body).frame as Record<string, unknown>
    return { ...(typeof code === 'string' && { code }), ...(typeof message === 'string' && { message }) }
  } catch {
    return {}
  }
}
