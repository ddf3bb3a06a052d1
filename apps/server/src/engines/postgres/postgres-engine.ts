/**
 * The PostgreSQL engine. User SQL runs in a read-only transaction on a connection that is cleaned before it is reused
 * (`connection.ts`). Rows go from the socket into JSON without becoming JavaScript values (`postgres-rows.ts`).
 */
import { type Engine, type EngineSession, knownStatistics } from '../engine.ts'
import type { EngineResult, Field, RowBatch, RunStatistics } from '../../model/result.ts'
import type { ServerOptions } from '../server-options.ts'
import { type BegunStatement, openConnection, type PostgresConnection } from './connection.ts'
import { maxTables, readTables, tablesSql } from './describe-postgres.ts'
import { type Lease, lend } from './connection-lease.ts'
import { connectionPool } from './postgres-pool.ts'
import type { LexicalRules } from '../sql/lexical-rules.ts'
import { checkBackslashes, singleStatement, rejectParameters, requireReadStatement } from './postgres-statement.ts'
import { refuseSessionChanges } from './postgres-session.ts'
import { postgresSyntax } from './postgres-syntax.ts'
import type { ServerVersion } from './version.ts'
import { ConnectionLost } from './wire.ts'

export interface PostgresOptions extends ServerOptions {
  /** How long a connection is kept for the next statement. */
  idleMs?: number
  /** For databases that speak the same protocol. */
  kind?: string
  lexicalRules?: LexicalRules
}

interface Request {
  sql: (version: ServerVersion) => string
  signal: AbortSignal
  session?: EngineSession | undefined
  /** Throws if the begun statement must not be executed. */
  check?: (begun: BegunStatement) => void
}

interface Started {
  result: EngineResult
  version: ServerVersion
}

export function openPostgresEngine(options: PostgresOptions): Engine {
  const { log, clock, maxConnections = 5, idleMs = 60_000, kind = 'postgres', lexicalRules = postgresSyntax.lexicalRules } = options
  const pool = connectionPool({ open: (signal) => openConnection(options, signal), maxConnections, idleMs, clock })

  /** Starts the statement on a borrowed connection. */
  async function start({ sql: sqlFor, signal, session, check }: Request): Promise<Started> {
    for (;;) {
      const connection = await pool.borrow(signal)
      const { version } = connection
      const lease = lend({ connection, pool, signal })
      try {
        const sql = sqlFor(version)
        const begun = await connection.begin(sql, session)
        check?.(begun)
        lease.throwIfStopped()
        connection.execute()
        return { result: resultOf({ sql, begun, connection, lease }), version }
      } catch (error) {
        const failure = await lease.fail(error)
        // The connection died while idle and had not begun anything, so retry on another one.
        const canRetry = failure instanceof ConnectionLost && connection.hasServed
        if (!canRetry) throw failure
      }
    }
  }

  async function rowsOf(request: Request): Promise<{ rows: unknown[]; version: ServerVersion }> {
    const { result, version } = await start(request)
    const rows: unknown[] = []
    for await (const { json } of result.batches) {
      for (const row of JSON.parse(`[${Buffer.from(json).toString()}]`) as unknown[]) rows.push(row)
    }
    return { rows, version }
  }

  return {
    dialect: kind,
    async run({ sql, signal, session }) {
      const words = singleStatement(sql, lexicalRules)
      if (session) refuseSessionChanges(sql, lexicalRules)
      const check = ({ parameterCount }: BegunStatement) => {
        requireReadStatement(words)
        rejectParameters(parameterCount)
      }
      const checked = (version: ServerVersion) => {
        checkBackslashes(sql, { lexicalRules, version })
        return sql
      }
      return (await start({ sql: checked, signal, session, check })).result
    },
    async test(signal) {
      const { version } = await rowsOf({ sql: () => 'select 1', signal })
      return { version: version.name }
    },
    async describe(signal) {
      const tables = readTables((await rowsOf({ sql: tablesSql, signal })).rows)
      if (tables.length === maxTables) log.warn({ engine: 'postgres', maxTables }, 'table list truncated')
      return tables
    },
    close: () => pool.close(),
  }
}

function resultOf(started: {
  sql: string
  begun: BegunStatement
  connection: PostgresConnection
  lease: Lease
}): EngineResult {
  const { sql, begun, connection, lease } = started
  const fields: Field[] = begun.columns.map(({ name, type }) => ({ name, type: type.fieldType }))
  let statistics: RunStatistics | undefined

  async function* batches(): AsyncGenerator<RowBatch> {
    try {
      yield* connection.rows(sql, begun)
      lease.throwIfStopped()
      // PostgreSQL does not report how many rows it read, and a read-only transaction writes nothing.
      statistics = { rowsRead: null, rowsWritten: 0 }
      lease.succeed()
    } catch (error) {
      throw await lease.fail(error)
    } finally {
      // The reader stopped early: stop the statement instead of reading to its end.
      if (!lease.isOver) await lease.abandon()
    }
  }

  return {
    fields,
    batches: batches(),
    statistics: () => knownStatistics(statistics),
  }
}
