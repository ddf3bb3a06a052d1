/**
 * The Trino engine, over the statement protocol itself: a statement is sent, and its pages are followed until the last one. Trino's
 * client for Node parses numbers, which rounds long integers.
 */
import type { EngineResult } from '../../model/result.ts'
import type { Engine, RunRequest } from '../engine.ts'
import { onFirstAvailable } from '../http/first-available.ts'
import type { ServerOptions } from '../server-options.ts'
import { sessionUser } from '../session-user.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import { describeTables } from './describe-trino.ts'
import { runOnTrino } from './run-trino.ts'
import { openTrinoConnection, type TrinoConnection } from './trino-connection.ts'
import { beginReadOnly, checkCatalog, endTransaction, queryRows } from './trino-session.ts'
import { checkStatement } from './trino-statement.ts'

const defaultConnections = 8
/** A catalog that is gone is noticed within this time. */
const checkTtlMs = 60_000

export function openTrinoEngine(options: ServerOptions): Engine {
  const { settings, clock, log } = options
  const servers = [settings, ...settings.otherHosts].map((place) => openTrinoConnection(options, place))
  const permits = makeStatementPermits(options.maxConnections ?? defaultConnections)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const checkedAtMs = new Map<TrinoConnection, number>()

  async function check(server: TrinoConnection, signal: AbortSignal): Promise<void> {
    if (clock.monotonicMs() - (checkedAtMs.get(server) ?? -Infinity) < checkTtlMs) return
    await checkCatalog({ server, clock, log }, settings, signal)
    checkedAtMs.set(server, clock.monotonicMs())
  }

  interface Started {
    result: EngineResult
    /** Resolves when the server no longer runs the statement. */
    over: Promise<void>
  }

  async function runOn(server: TrinoConnection, sql: string, request: RunRequest): Promise<Started> {
    const { signal, onProgress, session: person } = request
    const user = person?.user === undefined ? undefined : sessionUser(person.user)
    const session = { server, clock, log }
    await check(server, signal)
    const headers = await beginReadOnly(session, signal, user)
    const ended = Promise.withResolvers<void>()
    const over = ended.promise.then(() => endTransaction(session, headers))
    running.add(over)
    void over.then(() => running.delete(over))
    const result = await runOnTrino({ server, sql, headers, signal, onProgress, clock, log, onOver: ended.resolve })
    return { result, over }
  }

  async function run(request: RunRequest): Promise<EngineResult> {
    const sql = checkStatement(request.sql)
    const signal = AbortSignal.any([request.signal, closing.signal])
    const release = await permits.acquire(signal)
    try {
      const { result, over } = await onFirstAvailable(servers, (server) => runOn(server, sql, { ...request, signal }))
      void over.then(release)
      return result
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    dialect: 'trino',
    run,
    test: (signal) =>
      onFirstAvailable(servers, async (server) => {
        const session = { server, clock, log }
        await checkCatalog(session, settings, signal)
        const [row] = await queryRows(session, 'SELECT version()', signal)
        return { version: `Trino ${String(row![0])}` }
      }),
    describe: (signal) =>
      onFirstAvailable(servers, async (server) => {
        const session = { server, clock, log }
        await checkCatalog(session, settings, signal)
        return describeTables((sql) => queryRows(session, sql, signal), settings.database)
      }),
    async close() {
      closing.abort()
      permits.close()
      await Promise.all(running)
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
