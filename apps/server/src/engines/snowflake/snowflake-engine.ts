/** The Snowflake engine, over the SQL API. Its driver for Node resolves host names itself, and rounds long integers unless told not to. */
import type { EngineResult } from '../../model/result.ts'
import { type Random, secureRandom } from '../../ports/random.ts'
import { type Engine, type RunRequest, stoppedBeforeStart } from '../engine.ts'
import { onFirstAvailable } from '../http/first-available.ts'
import type { ServerOptions } from '../server-options.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import { describeTables } from './describe-snowflake.ts'
import { runOnSnowflake } from './run-snowflake.ts'
import { openSnowflakeConnection, type SnowflakeConnection } from './snowflake-connection.ts'
import { SnowflakeError } from './snowflake-failure.ts'
import { startQuery, type StatementContext } from './snowflake-query.ts'
import { checkStatement } from './snowflake-statement.ts'

const defaultConnections = 8
/** A database that is gone is noticed within this time. */
const checkTtlMs = 60_000

export function openSnowflakeEngine(options: ServerOptions & { random?: Random }): Engine {
  const { settings, clock, log, random = secureRandom } = options
  const servers = [settings, ...settings.otherHosts].map((place) => openSnowflakeConnection(options, place))
  const permits = makeStatementPermits(options.maxConnections ?? defaultConnections)
  const context = contextOf(options)
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  const checkedAtMs = new Map<SnowflakeConnection, number>()

  async function start(server: SnowflakeConnection, sql: string, signal: AbortSignal): Promise<EngineResult> {
    if (signal.aborted) throw stoppedBeforeStart()
    const ended = Promise.withResolvers<void>()
    running.add(ended.promise)
    const query = startQuery({ server, sql, context, requestId: uuid(random), clock, log })
    return runOnSnowflake({
      query,
      server,
      signal,
      onOver() {
        running.delete(ended.promise)
        ended.resolve()
      },
    })
  }

  async function queryRows(server: SnowflakeConnection, sql: string, signal: AbortSignal): Promise<unknown[][]> {
    const { batches } = await start(server, sql, AbortSignal.any([signal, closing.signal]))
    const rows: unknown[][] = []
    for await (const { json } of batches) rows.push(...(JSON.parse(`[${Buffer.from(json).toString()}]`) as unknown[][]))
    return rows
  }

  /** Throws if the database or schema does not exist, which statements that name no table would not notice. */
  async function check(server: SnowflakeConnection, signal: AbortSignal): Promise<string> {
    const [row] = await queryRows(server, 'SELECT CURRENT_DATABASE(), CURRENT_SCHEMA(), CURRENT_VERSION()', signal).catch((error: unknown) => {
      // The server may reject the statement itself.
      if (error instanceof SnowflakeError && error.kind !== 'unreachable') throw notFound(error.message, error)
      throw error
    })
    const [database, schema, version] = row as [string | null, string | null, string]
    if (database === null) throw notFound(`The database ${JSON.stringify(settings.database)} does not exist, or the role may not use it.`)
    const wanted = settings.options?.['schema']
    if (wanted !== undefined && schema === null) throw notFound(`The database has no schema ${JSON.stringify(wanted)}, or the role may not use it.`)
    checkedAtMs.set(server, clock.monotonicMs())
    return version
  }

  async function checkAtTimes(server: SnowflakeConnection, signal: AbortSignal): Promise<void> {
    if (clock.monotonicMs() - (checkedAtMs.get(server) ?? -Infinity) >= checkTtlMs) await check(server, signal)
  }

  return {
    dialect: 'snowflake',
    async run(request: RunRequest) {
      const sql = checkStatement(request.sql)
      const signal = AbortSignal.any([request.signal, closing.signal])
      const release = await permits.acquire(signal)
      try {
        return await onFirstAvailable(servers, async (server) => {
          await checkAtTimes(server, signal)
          return start(server, sql, signal)
        })
      } finally {
        release()
      }
    },
    test: (signal) => onFirstAvailable(servers, async (server) => ({ version: `Snowflake ${await check(server, signal)}` })),
    describe: (signal) =>
      onFirstAvailable(servers, async (server) => {
        await check(server, signal)
        return describeTables((sql) => queryRows(server, sql, signal), settings.database)
      }),
    async close() {
      closing.abort()
      permits.close()
      await Promise.all(running)
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}

const notFound = (message: string, cause?: unknown) => new SnowflakeError('unreachable', message, { code: 'DATABASE_NOT_FOUND', cause })

function contextOf({ settings }: ServerOptions): StatementContext {
  const { warehouse, schema, role } = settings.options ?? {}
  return {
    database: settings.database,
    ...(schema !== undefined && { schema }),
    ...(warehouse !== undefined && { warehouse }),
    ...(role !== undefined && { role }),
    parameters: { MULTI_STATEMENT_COUNT: '1', TIMEZONE: 'UTC', BINARY_OUTPUT_FORMAT: 'HEX', QUERY_TAG: 'querypost' },
  }
}

/** A random UUID, version 4. */
function uuid(random: Random): string {
  const bytes = Buffer.from(random.bytes(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
