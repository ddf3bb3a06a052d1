/**
 * The ClickHouse engine, over its HTTP interface. Supports 18.16 and later. Capabilities are queried from the server
 * (`facts.ts`), never inferred from its version number.
 */
import { type Random, secureRandom } from '../../ports/random.ts'
import type { Engine, RunRequest } from '../engine.ts'
import type { EngineResult } from '../../model/result.ts'
import type { ServerOptions } from '../server-options.ts'
import { describeTables } from './describe-clickhouse.ts'
import { onFirstAvailable } from '../http/first-available.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { runOnServer } from './run-on-server.ts'
import { openServer, type Server } from './clickhouse-connection.ts'
import { checkStatement } from './clickhouse-statement.ts'
import { sessionUser } from '../session-user.ts'
import { makeStatementPermits } from '../statement-permits.ts'

interface Started {
  result: EngineResult
  /** Resolves when the server no longer runs the statement. */
  over: Promise<void>
}

const defaultConnections = 8
/** A stale keep-alive connection fails at once. A statement that fails later than this may already have run, so it is not retried. */
const staleConnectionMs = 1000

export function openClickhouseEngine(options: ServerOptions & { random?: Random }): Engine {
  const { settings, clock, log, random = secureRandom } = options
  const servers = [settings, ...settings.otherHosts].map((place) => openServer(options, place))
  const permits = makeStatementPermits(options.maxConnections ?? defaultConnections)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  const withFirstAvailable = <Value>(work: (server: Server) => Promise<Value>) => onFirstAvailable(servers, work)

  async function runOnce(request: RunRequest, place: Server): Promise<Started> {
    const { sql, signal, onProgress, session } = request
    const server = session?.user === undefined ? place : place.as(sessionUser(session.user))
    const facts = await server.facts(signal)
    const over = Promise.withResolvers<void>()
    running.add(over.promise)
    void over.promise.then(() => running.delete(over.promise))
    const queryId = `querypost-${Buffer.from(random.bytes(16)).toString('hex')}`
    log.debug({ engine: 'clickhouse', queryId }, 'statement sent to server')
    const result = await runOnServer({ server, facts, sql, queryId, signal, onProgress, clock, log, onOver: over.resolve })
    return { result, over: over.promise }
  }

  async function runWithRetry(request: RunRequest, server: Server): Promise<Started> {
    const beganMs = clock.monotonicMs()
    try {
      return await runOnce(request, server)
    } catch (error) {
      const wasLost = error instanceof ServerUnavailable && error.wasConnected
      if (wasLost && clock.monotonicMs() - beganMs < staleConnectionMs) return runOnce(request, server)
      throw error
    }
  }

  async function run(request: RunRequest): Promise<EngineResult> {
    checkStatement(request.sql)
    const signal = AbortSignal.any([request.signal, closing.signal])
    const release = await permits.acquire(signal)
    try {
      const { result, over } = await withFirstAvailable((server) => runWithRetry({ ...request, signal }, server))
      void over.then(release)
      return result
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    dialect: 'clickhouse',
    run,
    async test(signal) {
      const sql = 'SELECT version() AS version'
      const [row] = await withFirstAvailable((server) => server.query<{ version: string }>(sql, signal))
      return { version: `ClickHouse ${row!.version}` }
    },
    describe: (signal) => withFirstAvailable((server) => describeTables(server, signal)),
    async close() {
      closing.abort()
      permits.close()
      await Promise.all(running)
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
