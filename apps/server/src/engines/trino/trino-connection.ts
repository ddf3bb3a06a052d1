import type { ServerPlace } from '../../model/server-settings.ts'
import { EngineError } from '../engine.ts'
import type { TriedServer } from '../http/first-available.ts'
import { type HttpResponse, openHttpConnection } from '../http/http-connection.ts'
import { limitBytes } from '../json-bytes.ts'
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

export type TrinoResponse = Omit<HttpResponse, 'status'>

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
  const { clock } = options
  const http = openHttpConnection(options, place, { maxBytes: pageMaxBytes, wrongServer: noTrino })
  const ownHeaders = headersOf(options)
  let backingOffUntilMs = -Infinity

  async function request({ headers, ...sent }: TrinoRequest): Promise<TrinoResponse> {
    const { status, ...response } = await http.request({ ...sent, headers: { ...ownHeaders, ...headers } })
    if (status < 200 || status >= 300) throw describeStatus(status, response.body.toString('utf8', 0, response.body.length - 1))
    return response
  }

  return {
    request,
    pathOf(uri) {
      const parsed = URL.canParse(uri) ? new URL(uri) : undefined
      if (parsed?.origin === http.origin && parsed.pathname.startsWith('/v1/')) return parsed.pathname + parsed.search
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
    close: () => http.close(),
  }
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
