import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import { dialLimitMs, noAnswer } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'
import { openPool } from '../http/open-pool.ts'
import { startExchange, type Exchange, textOf } from '../http/pooled-exchange.ts'
import { factsSql, readFacts, type ServerFacts, type SettingRow } from './facts.ts'
import { againIfLost, ServerUnavailable } from '../http/server-unavailable.ts'
import type { TriedServer } from '../http/first-available.ts'
import { describeOwnQueryError, toServerUnavailable } from './clickhouse-failure.ts'

export interface Server extends TriedServer {
  /** Sends SQL. The response is JSONCompact unless the SQL has a FORMAT clause. */
  send(sql: string, parameters: Record<string, string>): Exchange
  /** The rows of a small result, as objects keyed by column name. */
  query<Row>(sql: string, signal?: AbortSignal): Promise<Row[]>
  facts(signal: AbortSignal): Promise<ServerFacts>
  /** The same server for another user with the same password, whose row policies apply. */
  as(user: string): Server
  close(): Promise<void>
}

/** A server upgrade or a profile change is noticed within this time. */
const factsTtlMs = 60_000
const backOffMs = 15_000

export function openServer(options: ServerOptions, place: ServerPlace): Server {
  const { pool, close } = openPool(options, place)
  return serverFor(options, { pool, close, user: options.settings.user })
}

function serverFor(options: ServerOptions, { pool, close, user }: Pick<ReturnType<typeof openPool>, 'pool' | 'close'> & { user: string }): Server {
  const { settings, password, clock } = options
  const headers = {
    authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}`,
    'content-type': 'text/plain; charset=UTF-8',
    'user-agent': 'querypost',
  }
  let known: { facts: ServerFacts; atMs: number } | undefined
  let backingOffUntilMs = -Infinity

  function send(sql: string, parameters: Record<string, string>): Exchange {
    const search = new URLSearchParams({ database: settings.database, default_format: 'JSONCompact', ...parameters })
    return startExchange(pool, { path: `/?${search.toString()}`, headers, body: sql })
  }

  /** Throws the server's error, or `ServerUnavailable`. */
  async function queryOnce<Row>(sql: string, signal?: AbortSignal): Promise<Row[]> {
    const exchange = send(sql, {})
    const stop = () => exchange.abort()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      const { status } = await exchange.head.catch((error: unknown) => Promise.reject(toServerUnavailable(error)))
      const text = await textOf(exchange)
      if (status !== 200) throw describeOwnQueryError(text)
      return rowsOf<Row>(text)
    } catch (error) {
      if (signal?.aborted) throw stoppedBeforeStart()
      throw error instanceof EngineError ? error : toServerUnavailable(error)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  const query = <Row>(sql: string, signal?: AbortSignal): Promise<Row[]> => againIfLost(() => queryOnce<Row>(sql, signal))

  /** For queries that take no time: a server that is slow to answer counts as unavailable, and the next one is tried. */
  async function queryWithTimeout<Row>(sql: string, signal: AbortSignal): Promise<Row[]> {
    const limit = abortAfter(clock, dialLimitMs)
    try {
      return await query<Row>(sql, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (limit.signal.aborted && !signal.aborted) throw new ServerUnavailable(noAnswer, { wasConnected: false, cause: error })
      throw error
    } finally {
      limit.cancel()
    }
  }

  return {
    send,
    query,
    async facts(signal) {
      if (known && clock.monotonicMs() - known.atMs < factsTtlMs) return known.facts
      const facts = readFacts(await queryWithTimeout<SettingRow>(factsSql, signal))
      known = { facts, atMs: clock.monotonicMs() }
      return facts
    },
    backOff() {
      known = undefined
      backingOffUntilMs = clock.monotonicMs() + backOffMs
    },
    isBackingOff: () => clock.monotonicMs() < backingOffUntilMs,
    as: (other) => serverFor(options, { pool, close, user: other }),
    close,
  }
}

function rowsOf<Row>(text: string): Row[] {
  // A KILL that matches nothing has an empty response.
  if (text === '') return []
  const answer = JSON.parse(text) as { meta?: { name: string }[]; data?: unknown[][] } | null
  if (!answer?.meta || !answer.data) throw new SyntaxError('Not a result.')
  const { meta, data } = answer
  return data.map((row) => Object.fromEntries(meta.map(({ name }, index) => [name, row[index]])) as Row)
}
