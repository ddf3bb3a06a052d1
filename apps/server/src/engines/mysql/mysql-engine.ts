/**
 * MySQL and MariaDB as an engine: one session a statement, lent by a pool, on which every statement is a read-only
 * transaction of its own. Stopping goes through a second session (`stop-mysql.ts`).
 */
import { type Engine, EngineError, type RunRequest } from '../engine.ts'
import type { EngineResult, RowBatch, RunStatistics } from '../../model/result.ts'
import type { ServerOptions } from '../server-options.ts'
import { ask } from './ask.ts'
import { describeTables, rowsOf } from './describe-mysql.ts'
import { isLost, statementFailure } from './mysql-failure.ts'
import { withPatience } from './patience.ts'
import { sessionPool } from './mysql-pool.ts'
import { doesRead, refuseToWrite } from './read-only.ts'
import { readResult } from './reader.ts'
import { nameVersion } from './server-facts.ts'
import { openBeside, openSession, type Session } from './mysql-session.ts'
import { stopStatement } from './stop-mysql.ts'

/** What a server that is there does at once. */
const errandLimitMs = 2_000
/** Longer than `stop-mysql.ts` waits for a statement that does not hear. */
const stopLimitMs = 20_000

const stopped = () => new EngineError('stopped', 'The statement was stopped.')

export function openMysqlEngine(options: ServerOptions): Engine {
  const { clock, log, maxConnections = 5 } = options
  const pool = sessionPool({ open: (signal) => openSession(options, signal), maxConnections, clock })
  /** How to stop each statement that is under way. */
  const underWay = new Set<() => Promise<void>>()

  async function run(request: RunRequest): Promise<EngineResult> {
    const { sql, signal } = request
    if (signal.aborted) throw stopped()
    if (!doesRead(sql)) throw await whatIsWrong(request)
    let session = await pool.borrow(signal)
    let statement = begin(session, request)
    const failure = await statement.failure
    // The server was started anew, or has hung up on a session that nobody used; nothing has been read yet.
    if (failure !== null && isLost(failure) && session.wasIdle && !signal.aborted) {
      await statement.finish()
      pool.discardIdle()
      session = await pool.borrow(signal)
      statement = begin(session, request)
    }
    return await statement.result()
  }

  function begin(session: Session, { sql, signal }: RunRequest) {
    log.debug({ engine: 'mysql', thread: session.threadId }, 'statement given to the server')
    const reader = readResult(session.connection, sql)
    let statistics: RunStatistics | undefined
    let stopping: Promise<void> | undefined
    let finishing: Promise<void> | undefined

    function stop(): Promise<void> {
      stopping ??= reader.hasEnded()
        ? Promise.resolve()
        : stopAtServer(session, reader).then(leave)
      return stopping
    }
    const onAbort = () => void stop()

    function leave(): void {
      underWay.delete(stop)
      pool.discard(session)
    }

    /** The session is somebody else's from here on, or gone. */
    function finish(): Promise<void> {
      finishing ??= (async () => {
        signal.removeEventListener('abort', onAbort)
        if (!reader.hasEnded()) await stop()
        await stopping
        underWay.delete(stop)
        if (session.isAlive()) void pool.giveBack(session)
        else pool.discard(session)
      })()
      return finishing
    }

    async function failed(error: unknown): Promise<EngineError> {
      // Where the fault is ours and not the server's, finishing stops the statement, but that is not why it failed.
      const wasStopped = stopping !== undefined
      await finish()
      return wasStopped ? stopped() : statementFailure(error, sql)
    }

    async function* batches(): AsyncGenerator<RowBatch> {
      try {
        for (;;) {
          const batch = await reader.next()
          if (stopping) throw stopped()
          if (batch === null) break
          yield batch
        }
        statistics = { rowsRead: await rowsReadBy(session), rowsWritten: 0 }
      } catch (error) {
        throw await failed(error)
      } finally {
        // Reached early when the reader has enough: the statement is stopped, not read to its end for nobody.
        await finish()
      }
    }

    underWay.add(stop)
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
          statistics() {
            if (statistics === undefined) throw new Error('Statistics are known once all batches have been read.')
            return statistics
          },
        }
      },
    }
  }

  async function stopAtServer(session: Session, reader: ReturnType<typeof readResult>): Promise<void> {
    try {
      const control = (await wellAndIdle(session)) ?? (await openBeside(session, options))
      try {
        const stopping = stopStatement({ session, reader, control, clock, log })
        const patience = { clock, limitMs: stopLimitMs }
        await withPatience({ ...patience, session: control }, withPatience({ ...patience, session }, stopping))
      } finally {
        // It takes the place of the session that was stopped, which is of no use any more.
        pool.giveBackIdle(control)
      }
    } catch (error) {
      // The server will notice by itself, at the latest when it has something to send.
      const details = { engine: 'mysql', thread: session.threadId, err: error }
      log.warn(details, 'a statement could not be stopped at the server')
    }
  }

  async function wellAndIdle(session: Session): Promise<Session | undefined> {
    const idle = pool.takeIdleBeside(session)
    if (!idle) return undefined
    try {
      await withPatience({ session: idle, clock, limitMs: errandLimitMs }, ask(idle.connection, 'select 1'))
      return idle
    } catch {
      idle.destroy()
      return undefined
    }
  }

  /** A statement that does not read is parsed by the server, which knows best what is wrong, and never executed. */
  async function whatIsWrong({ sql, signal }: RunRequest): Promise<EngineError> {
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
    if (signal.aborted) return stopped()
    return error === null ? refuseToWrite() : statementFailure(error, sql)
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
      await Promise.all([...underWay].map((stop) => stop()))
      await closing
    },
  }
}

/** MariaDB counts for each session, from its cleaning on: it has run nothing else since. */
async function rowsReadBy({ connection, facts }: Session): Promise<number | null> {
  if (!facts.countsRowsRead) return null
  // All rows are there: that their number is not shall not fail the run.
  const [row] = await ask(connection, "show session status like 'Rows_read'").catch(() => [])
  return row === undefined ? null : Number(row[1])
}
