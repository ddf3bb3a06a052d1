/**
 * The engine for MySQL and MariaDB. Each statement borrows a session from a pool, on which every statement is its own
 * read-only transaction. A statement is stopped through a second session (`stop-mysql.ts`).
 */
import { type Engine, type EngineError, knownStatistics, type RunRequest, statementStopped } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import type { ServerOptions } from '../server-options.ts'
import { queryRows } from './query-rows.ts'
import { describeTables, rowsOf } from './describe-mysql.ts'
import { isLost, statementFailure } from './mysql-failure.ts'
import { withTimeout } from './with-timeout.ts'
import { sessionPool } from './mysql-pool.ts'
import { isReadStatement, notAReadStatement } from './read-only.ts'
import { readResult } from './reader.ts'
import { nameVersion } from './server-facts.ts'
import { openBeside, openSession, type Session } from './mysql-session.ts'
import { stopStatement } from './stop-mysql.ts'

/** A reachable server answers a ping well within this time. */
const pingLimitMs = 2_000
/** Longer than `stop-mysql.ts` waits for a statement that does not react. */
const stopLimitMs = 20_000

export function openMysqlEngine(options: ServerOptions): Engine {
  const { clock, log, maxConnections = 5 } = options
  const pool = sessionPool({ open: (signal) => openSession(options, signal), maxConnections, clock })
  /** The stop functions of all running statements. */
  const runningStatements = new Set<() => Promise<void>>()

  async function run(request: RunRequest): Promise<EngineResult> {
    const { sql, signal } = request
    if (signal.aborted) throw statementStopped()
    if (!isReadStatement(sql)) throw await explainRejection(request)
    let session = await pool.borrow(signal)
    let statement = begin(session, request)
    const failure = await statement.failure
    // The server has restarted or closed an idle session. Nothing has been read yet, so retry on another session.
    if (failure !== null && isLost(failure) && session.wasIdle && !signal.aborted) {
      await statement.finish()
      pool.discardIdle()
      session = await pool.borrow(signal)
      statement = begin(session, request)
    }
    return await statement.result()
  }

  function begin(session: Session, { sql, signal }: RunRequest) {
    log.debug({ engine: 'mysql', thread: session.threadId }, 'statement sent to server')
    const reader = readResult(session.connection, sql)
    let statistics: RunStatistics | undefined
    let stopping: Promise<void> | undefined
    let finishing: Promise<void> | undefined

    function stop(): Promise<void> {
      stopping ??= reader.hasEnded()
        ? Promise.resolve()
        : stopAtServer(session, reader).then(discardSession)
      return stopping
    }
    const onAbort = () => void stop()

    function discardSession(): void {
      runningStatements.delete(stop)
      pool.discard(session)
    }

    /** After this, the session belongs to another statement or is gone. */
    function finish(): Promise<void> {
      finishing ??= (async () => {
        signal.removeEventListener('abort', onAbort)
        if (!reader.hasEnded()) await stop()
        await stopping
        runningStatements.delete(stop)
        if (session.isAlive()) void pool.giveBack(session)
        else pool.discard(session)
      })()
      return finishing
    }

    async function failed(error: unknown): Promise<EngineError> {
      // If the failure is on this side, `finish` stops the statement, but that is not why it failed.
      const wasStopped = stopping !== undefined
      await finish()
      return wasStopped ? statementStopped() : statementFailure(error, sql)
    }

    async function* batches(): AsyncGenerator<RowBatch> {
      try {
        for (;;) {
          const batch = await reader.next()
          if (stopping) throw statementStopped()
          if (batch === null) break
          yield batch
        }
        statistics = { rowsRead: await rowsReadBy(session), rowsWritten: 0 }
      } catch (error) {
        throw await failed(error)
      } finally {
        // If the reader stopped early, this stops the statement instead of reading to its end.
        await finish()
      }
    }

    runningStatements.add(stop)
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()

    return {
      finish,
      /** Null once the fields are known. */
      failure: reader.fields.then(
        () => null,
        (error: unknown) => error,
      ),
      async result(): Promise<EngineResult> {
        const fields = await reader.fields.catch(async (error: unknown) => {
          throw await failed(error)
        })
        return {
          fields,
          batches: batches(),
          statistics: () => knownStatistics(statistics),
        }
      },
    }
  }

  async function stopAtServer(session: Session, reader: ReturnType<typeof readResult>): Promise<void> {
    try {
      const control = (await takeHealthyIdle(session)) ?? (await openBeside(session, options))
      try {
        const stopping = stopStatement({ session, reader, control, clock, log })
        const limit = { clock, limitMs: stopLimitMs }
        await withTimeout({ ...limit, session: control }, withTimeout({ ...limit, session }, stopping))
      } finally {
        // It replaces the stopped session, which cannot be used again.
        pool.giveBackIdle(control)
      }
    } catch (error) {
      // The server notices the closed connection at the latest when it next sends something.
      const details = { engine: 'mysql', thread: session.threadId, err: error }
      log.warn(details, 'statement cancellation failed')
    }
  }

  async function takeHealthyIdle(session: Session): Promise<Session | undefined> {
    const idle = pool.takeIdleBeside(session)
    if (!idle) return undefined
    try {
      await withTimeout({ session: idle, clock, limitMs: pingLimitMs }, queryRows(idle.connection, 'select 1'))
      return idle
    } catch {
      idle.destroy()
      return undefined
    }
  }

  /** Lets the server parse, but never execute, a statement that does not read, because its error message is the most precise. */
  async function explainRejection({ sql, signal }: RunRequest): Promise<EngineError> {
    const session = await pool.borrow(signal)
    const hangUp = () => session.destroy()
    signal.addEventListener('abort', hangUp, { once: true })
    const error = await new Promise<unknown>((resolve) => {
      session.connection.prepare(sql, (refused, prepared) => {
        prepared?.close()
        resolve(refused)
      })
    })
    signal.removeEventListener('abort', hangUp)
    void pool.giveBack(session)
    if (signal.aborted) return statementStopped()
    return error === null ? notAReadStatement() : statementFailure(error, sql)
  }

  return {
    dialect: 'mysql',
    run,
    async test(signal) {
      let version = ''
      for await (const [name] of rowsOf<[string]>(await run({ sql: 'select version()', signal }))) version = name
      return { version: nameVersion(version) }
    },
    describe: (signal) => describeTables((sql) => run({ sql, signal })),
    async close() {
      const closing = pool.close()
      await Promise.all([...runningStatements].map((stop) => stop()))
      await closing
    },
  }
}

/** MariaDB counts rows per session. Cleaning resets the count, and the session has run nothing else since. */
async function rowsReadBy({ connection, facts }: Session): Promise<number | null> {
  if (!facts.countsRowsRead) return null
  // All rows have arrived, so a missing statistic must not fail the run.
  const [row] = await queryRows(connection, "show session status like 'Rows_read'").catch(() => [])
  return row === undefined ? null : Number(row[1])
}
