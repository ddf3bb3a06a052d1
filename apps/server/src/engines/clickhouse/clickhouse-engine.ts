/**
 * ClickHouse as an engine, by its HTTP interface: 18.16 and everything since. What a version can do is asked of the
 * server (`facts.ts`), never guessed from its number.
 */
import { type Random, secureRandom } from '../../ports/random.ts'
import { type Engine, EngineError, type RunRequest } from '../engine.ts'
import type { EngineResult } from '../../model/result.ts'
import type { ServerOptions } from '../server-options.ts'
import { describeTables } from './describe-clickhouse.ts'
import { NotThere } from './clickhouse-failure.ts'
import { runAt } from './running.ts'
import { openServer, type Server } from './clickhouse-connection.ts'
import { checkStatement } from './clickhouse-statement.ts'
import { makeStatementPermits } from '../statement-permits.ts'

interface Started {
  result: EngineResult
  /** Resolves when the server is rid of the statement. */
  over: Promise<void>
}

const defaultConnections = 8
/** A connection that was kept and that the server had closed is noticed at once; what takes longer was at work. */
const noticedWithinMs = 1000

export function openClickhouseEngine(options: ServerOptions & { random?: Random }): Engine {
  const { settings, clock, log, random = secureRandom } = options
  const servers = [settings, ...settings.otherHosts].map((place) => openServer(options, place))
  const permits = makeStatementPermits(options.maxConnections ?? defaultConnections)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()

  /** Asks one server after the other, those last that did not answer lately. */
  async function firstThatAnswers<Value>(work: (server: Server) => Promise<Value>): Promise<Value> {
    let firstError: NotThere | undefined
    for (const server of servers.toSorted((a, b) => Number(a.isResting()) - Number(b.isResting()))) {
      try {
        return await work(server)
      } catch (error) {
        if (!(error instanceof NotThere)) throw error
        server.rest()
        firstError ??= error
      }
    }
    const { message, cause } = firstError!
    const words = servers.length > 1 ? `None of the ${servers.length} servers answers. ${message}` : message
    throw new EngineError('unreachable', words, { cause })
  }

  async function runOnce(request: RunRequest, server: Server): Promise<Started> {
    const { sql, signal, onProgress } = request
    const facts = await server.facts(signal)
    const over = Promise.withResolvers<void>()
    running.add(over.promise)
    void over.promise.then(() => running.delete(over.promise))
    const queryId = `querypost-${Buffer.from(random.bytes(16)).toString('hex')}`
    log.debug({ engine: 'clickhouse', queryId }, 'statement given to server')
    const result = await runAt({ server, facts, sql, queryId, signal, onProgress, clock, log, onOver: over.resolve })
    return { result, over: over.promise }
  }

  async function runThere(request: RunRequest, server: Server): Promise<Started> {
    const beganMs = clock.monotonicMs()
    try {
      return await runOnce(request, server)
    } catch (error) {
      const wasLost = error instanceof NotThere && error.wasConnected
      if (wasLost && clock.monotonicMs() - beganMs < noticedWithinMs) return runOnce(request, server)
      throw error
    }
  }

  async function run(request: RunRequest): Promise<EngineResult> {
    checkStatement(request.sql)
    const signal = AbortSignal.any([request.signal, closing.signal])
    const release = await permits.acquire(signal)
    try {
      const { result, over } = await firstThatAnswers((server) => runThere({ ...request, signal }, server))
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
      const [row] = await firstThatAnswers((server) => server.ask<{ version: string }>(sql, signal))
      return { version: `ClickHouse ${row!.version}` }
    },
    describe: (signal) => firstThatAnswers((server) => describeTables(server, signal)),
    async close() {
      closing.abort()
      permits.close()
      await Promise.all(running)
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
