import type { Clock } from '../../ports/clock.ts'
import { EngineError } from '../engine.ts'
import { type HttpConnection, type HttpResponse, openHttpConnection } from '../http/http-connection.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { limitBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { BigqueryError, describeStatus, noBigquery } from './bigquery-failure.ts'
import { readKey, tokenPlace, tokenRequest } from './bigquery-key.ts'

export interface BigqueryRequest {
  method: 'POST' | 'GET'
  /** Below the project, such as `/jobs`. */
  path: string
  parameters?: Record<string, string | undefined>
  body?: unknown
  /** The statement that an error is about. */
  sql?: string
  signal?: AbortSignal
}

export interface BigqueryConnection {
  /** Throws `ServerUnavailable` if the connection fails, and `EngineError` for a status that is not a success. */
  call<Response>(request: BigqueryRequest): Promise<Response>
  close(): Promise<void>
}

/** Pages have at most 10 MB, unless a single row has more. */
const pageMaxBytes = limitBytes * 2

export function openBigqueryConnection(options: ServerOptions): BigqueryConnection {
  const { settings } = options
  const http = openHttpConnection(options, settings, { maxBytes: pageMaxBytes, wrongServer: noBigquery })
  const tokens = options.password === null ? undefined : makeTokens(options, options.password)

  async function send({ method, path, parameters = {}, body, signal }: BigqueryRequest): Promise<HttpResponse> {
    const given = Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined)
    const search = given.length > 0 ? `?${new URLSearchParams(given).toString()}` : ''
    const token = await tokens?.get()
    return http.request({
      method,
      path: `/bigquery/v2/projects/${encodeURIComponent(settings.database)}${path}${search}`,
      headers: {
        'user-agent': 'querypost',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal,
    })
  }

  return {
    async call<Response>(request: BigqueryRequest) {
      const response = await send(request).catch((error: unknown) => {
        // The server may have closed a kept-alive connection just as it was reused. A job has an id, so it starts at most once.
        if (error instanceof ServerUnavailable && error.wasConnected) return send(request)
        throw error
      })
      const text = textOf(response)
      if (response.status >= 200 && response.status < 300) return parsed(text) as Response
      if (response.status === 401) tokens?.forget()
      throw describeStatus(response.status, text, request.sql)
    },
    async close() {
      await Promise.all([http.close(), tokens?.close()])
    },
  }
}

const textOf = ({ body }: HttpResponse) => body.toString('utf8', 0, body.length - 1)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new EngineError('unreachable', noBigquery)
  }
}

const tokenMaxBytes = 64 * 1024
/** A token is replaced this long before it expires. */
const marginMs = 5 * 60_000

interface Token {
  text: string
  expiresAtMs: number
}

function makeTokens(options: ServerOptions, keyText: string) {
  const { settings, clock } = options
  let connection: HttpConnection | undefined
  let current: Promise<Token> | undefined

  async function request(): Promise<Token> {
    const key = readKey(keyText, settings)
    const place = tokenPlace(key, settings)
    const isOwn = place === settings
    connection ??= openHttpConnection(
      isOwn ? options : { ...options, settings: { ...settings, tls: 'verified', certificateAuthority: null } },
      place,
      { maxBytes: tokenMaxBytes, wrongServer: noBigquery },
    )
    const response = await connection.request({
      method: 'POST',
      path: '/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'querypost' },
      body: tokenRequest(key, clock.now().getTime()),
    })
    return tokenIn(response, clock)
  }

  async function get(): Promise<string> {
    const found = await current?.catch(() => undefined)
    if (found && clock.monotonicMs() < found.expiresAtMs - marginMs) return found.text
    current = request()
    return (await current).text
  }

  return {
    get,
    forget() {
      current = undefined
    },
    close: async () => connection?.close(),
  }
}

function tokenIn(response: HttpResponse, clock: Clock): Token {
  if (response.status >= 500) throw new EngineError('unreachable', 'Google’s sign-in service cannot answer. Try again later.')
  const { access_token: text, expires_in: seconds, error_description: reason } = parsed(textOf(response)) as Record<string, unknown>
  if (response.status === 200 && typeof text === 'string') {
    return { text, expiresAtMs: clock.monotonicMs() + (typeof seconds === 'number' ? seconds : 0) * 1000 }
  }
  const said = typeof reason === 'string' ? ` Google says: ${reason}` : ''
  throw new BigqueryError('unreachable', `The key was not accepted. Check that it has not been deleted.${said}`, { reason: 'authError' })
}
