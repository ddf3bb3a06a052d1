import { callbackify } from 'node:util'
import { Pool } from 'undici'
import type { ServerPlace } from '../../model/server-settings.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import { dial } from '../http/dial-http.ts'
import type { TriedServer } from '../http/first-available.ts'
import { startExchange } from '../http/pooled-exchange.ts'
import { describeUnavailable } from '../http/server-unavailable.ts'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { describeStatus, noTrino } from './trino-failure.ts'

export interface TrinoRequest {
  method: 'POST' | 'GET' | 'DELETE'
  path: string
  /** Of the session, besides those that every request has. */
  headers?: Record<string, string>
  body?: string
  signal?: AbortSignal
}

export interface TrinoResponse {
  headers: Record<string, string | string[] | undefined>
  /** Followed by a 0 byte. */
  body: Buffer
}

export interface TrinoConnection extends TriedServer {
  /** Throws `ServerUnavailable` if the connection fails, and `EngineError` for a status that is not a success. */
  request(request: TrinoRequest): Promise<TrinoResponse>
  /** The path of a URI that the server names. Throws if it is on another server: credentials go to the configured one only. */
  pathOf(uri: string): string
  close(): Promise<void>
}

const backOffMs = 15_000
/** Pages have about a megabyte, unless a single row has more. */
const pageMaxBytes = limitBytes * 2

export function openTrinoConnection(options: ServerOptions, place: ServerPlace): TrinoConnection {
  const { settings, clock } = options
  const closing = new AbortController()
  const host = place.host.includes(':') ? `[${place.host}]` : place.host
  const { origin } = new URL(`${settings.tls === 'off' ? 'http' : 'https'}://${host}:${place.port}`)
  const pool = new Pool(origin, {
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
  const ownHeaders = headersOf(options)
  let backingOffUntilMs = -Infinity

  async function request({ method, path, headers, body, signal }: TrinoRequest): Promise<TrinoResponse> {
    if (signal?.aborted) throw stoppedBeforeStart()
    const sent = { method, path, headers: { ...ownHeaders, ...headers }, ...(body !== undefined && { body }) }
    const exchange = startExchange(pool, sent)
    const stop = () => exchange.abort()
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const { status, headers: received } = await exchange.head.catch(fail)
      const pieces: Uint8Array[] = []
      let sizeBytes = 0
      for (let piece = await exchange.next().catch(fail); piece !== null; piece = await exchange.next().catch(fail)) {
        pieces.push(piece)
        sizeBytes += piece.length
        if (sizeBytes > pageMaxBytes) {
          exchange.abort()
          throw new TooManyBytes()
        }
      }
      const whole = Buffer.concat([...pieces, Buffer.of(0)])
      if (status < 200 || status >= 300) throw describeStatus(status, whole.toString('utf8', 0, sizeBytes))
      return { headers: received, body: whole }
    } catch (error) {
      throw signal?.aborted ? stoppedBeforeStart() : error
    } finally {
      signal?.removeEventListener('abort', stop)
    }
  }

  return {
    request,
    pathOf(uri) {
      const parsed = URL.canParse(uri) ? new URL(uri) : undefined
      if (parsed?.origin === origin && parsed.pathname.startsWith('/v1/')) return parsed.pathname + parsed.search
      throw new EngineError(
        'unreachable',
        'The server says to continue on another server, which is not allowed. Behind a proxy, set http-server.process-forwarded=true ' +
          'in its configuration, so that it names the address of the proxy.',
      )
    },
    backOff() {
      backingOffUntilMs = clock.monotonicMs() + backOffMs
    },
    isBackingOff: () => clock.monotonicMs() < backingOffUntilMs,
    close() {
      closing.abort()
      return pool.destroy()
    },
  }
}

function fail(error: unknown): never {
  throw describeUnavailable(error, noTrino)
}

function headersOf({ settings, password }: ServerOptions): Record<string, string> {
  const { schema, signIn } = settings.options ?? {}
  const basic = () => `Basic ${Buffer.from(`${settings.user}:${password ?? ''}`).toString('base64')}`
  return {
    'x-trino-user': settings.user,
    'x-trino-source': 'querypost',
    'x-trino-catalog': settings.database,
    ...(schema !== undefined && { 'x-trino-schema': schema }),
    'x-trino-time-zone': 'UTC',
    // Without it, timestamps have three digits.
    'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
    'user-agent': 'querypost',
    'content-type': 'text/plain; charset=UTF-8',
    ...(password !== null && { authorization: signIn === 'token' ? `Bearer ${password}` : basic() }),
  }
}
