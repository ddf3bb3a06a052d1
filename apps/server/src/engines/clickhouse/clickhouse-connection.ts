/**
 * One place of a database: a server, or what stands in front of several. A database may have more, with the same
 * data: they are asked in order until one answers. A place that did not answer *rests*: it is asked last for a while.
 */
import { callbackify } from 'node:util'
import { Pool } from 'undici'
import { abortAfter } from '../../ports/clock.ts'
import { EngineError, stoppedBeforehand } from '../engine.ts'
import { dialLimitMs, noAnswer } from '../server-failures.ts'
import type { ServerOptions } from '../server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'
import { dial } from './dial-clickhouse.ts'
import { exchange, type Exchange, textOf } from './clickhouse-exchange.ts'
import { factsSql, readFacts, type ServerFacts, type SettingRow } from './facts.ts'
import { describeOwn, NotThere, notThere } from './clickhouse-failure.ts'

export interface Server {
  /** Sends SQL; what comes back is JSONCompact unless the SQL has another format. */
  send(sql: string, parameters: Record<string, string>): Exchange
  /** The rows of a small result, by column. */
  ask<Row>(sql: string, signal?: AbortSignal): Promise<Row[]>
  facts(signal: AbortSignal): Promise<ServerFacts>
  rest(): void
  isResting(): boolean
  close(): Promise<void>
}

/** An upgrade or another profile is noticed within this. */
const factsKeptMs = 60_000
const restMs = 15_000

export function openServer(options: ServerOptions, place: ServerPlace): Server {
  const { settings, password, clock } = options
  const closing = new AbortController()
  const host = place.host.includes(':') ? `[${place.host}]` : place.host
  const pool = new Pool(`${settings.tls === 'off' ? 'http' : 'https'}://${host}:${place.port}`, {
    allowH2: false,
    pipelining: 1,
    connections: null,
    keepAliveTimeout: 10_000,
    connect(_options, callback) {
      callbackify(dial)(options, place, closing.signal, (error, socket) =>
        error ? callback(error, null) : callback(null, socket),
      )
    },
  })
  const headers = {
    authorization: `Basic ${Buffer.from(`${settings.user}:${password ?? ''}`).toString('base64')}`,
    'content-type': 'text/plain; charset=UTF-8',
    'user-agent': 'querypost',
  }
  let known: { facts: ServerFacts; atMs: number } | undefined
  let restingUntilMs = -Infinity

  function send(sql: string, parameters: Record<string, string>): Exchange {
    const query = new URLSearchParams({ database: settings.database, default_format: 'JSONCompact', ...parameters })
    return exchange(pool, { path: `/?${query.toString()}`, headers, body: sql })
  }

  /** Throws what the server says, or `NotThere`. */
  async function askOnce<Row>(sql: string, signal?: AbortSignal): Promise<Row[]> {
    const asked = send(sql, {})
    const stop = () => asked.abort()
    signal?.addEventListener('abort', stop, { once: true })
    if (signal?.aborted) stop()
    try {
      const { status } = await asked.head.catch((error: unknown) => Promise.reject(notThere(error)))
      const text = await textOf(asked)
      if (status !== 200) throw describeOwn(text)
      return rowsOf<Row>(text)
    } catch (error) {
      if (signal?.aborted) throw stoppedBeforehand()
      throw error instanceof EngineError ? error : notThere(error)
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  async function ask<Row>(sql: string, signal?: AbortSignal): Promise<Row[]> {
    try {
      return await askOnce<Row>(sql, signal)
    } catch (error) {
      // The server may have closed a connection that was kept, just when it was used again.
      if (error instanceof NotThere && error.wasConnected) return askOnce<Row>(sql, signal)
      throw error
    }
  }

  /** What takes no time: a server that takes long for it is as good as none, and the next one is asked. */
  async function askSoon<Row>(sql: string, signal: AbortSignal): Promise<Row[]> {
    const limit = abortAfter(clock, dialLimitMs)
    try {
      return await ask<Row>(sql, AbortSignal.any([signal, limit.signal]))
    } catch (error) {
      if (limit.signal.aborted && !signal.aborted) throw new NotThere(noAnswer, { wasConnected: false, cause: error })
      throw error
    } finally {
      limit.cancel()
    }
  }

  return {
    send,
    ask,
    async facts(signal) {
      if (known && clock.monotonicMs() - known.atMs < factsKeptMs) return known.facts
      const facts = readFacts(await askSoon<SettingRow>(factsSql, signal))
      known = { facts, atMs: clock.monotonicMs() }
      return facts
    },
    rest() {
      known = undefined
      restingUntilMs = clock.monotonicMs() + restMs
    },
    isResting: () => clock.monotonicMs() < restingUntilMs,
    close() {
      closing.abort()
      return pool.destroy()
    },
  }
}

function rowsOf<Row>(text: string): Row[] {
  // A KILL that hits nothing.
  if (text === '') return []
  const answer = JSON.parse(text) as { meta?: { name: string }[]; data?: unknown[][] } | null
  if (!answer?.meta || !answer.data) throw new SyntaxError('Not a result.')
  const { meta, data } = answer
  return data.map((row) => Object.fromEntries(meta.map(({ name }, index) => [name, row[index]])) as Row)
}
