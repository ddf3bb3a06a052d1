import { EngineError } from '../engine.ts'
import { type HttpResponse, openHttpConnection } from '../http/http-connection.ts'
import { againIfLost } from '../http/server-unavailable.ts'
import { limitBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { describeStatus, noBigquery } from './bigquery-failure.ts'
import { makeTokens } from './bigquery-tokens.ts'

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
      // A job has an id, so it starts at most once.
      const response = await againIfLost(() => send(request))
      const text = textOf(response)
      if (response.status >= 200 && response.status < 300) return parsed(text) as Response
      if (response.status === 401) tokens?.forget()
      throw describeStatus(response.status, text, request.sql)
    },
    close: () => http.close(),
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
