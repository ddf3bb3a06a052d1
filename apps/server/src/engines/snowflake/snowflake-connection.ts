import { gunzip } from 'node:zlib'
import { promisify } from 'node:util'
import type { ServerPlace } from '../../model/server-settings.ts'
import { EngineError } from '../engine.ts'
import type { TriedServer } from '../http/first-available.ts'
import { type HttpResponse, openHttpConnection } from '../http/http-connection.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import { TooManyBytes } from '../json-bytes.ts'
import type { ServerOptions } from '../server-options.ts'
import { ServerBusy, noSnowflake } from './snowflake-failure.ts'
import { makeSignIn } from './snowflake-sign-in.ts'

export interface SnowflakeRequest {
  method: 'POST' | 'GET'
  path: string
  body?: unknown
}

export interface SnowflakeConnection extends TriedServer {
  /** Repeats a request that the server was too busy for or that got lost, so it must be one that can be repeated. */
  request(request: SnowflakeRequest): Promise<HttpResponse>
  close(): Promise<void>
}

const backOffMs = 15_000
/** The largest partition that a result can have, before compression. */
const responseMaxBytes = 192 * 1024 * 1024
const pausesMs = [50, 100, 200, 400, 800, 1600, 3200]

const unzip = promisify(gunzip)

export function openSnowflakeConnection(options: ServerOptions, place: ServerPlace): SnowflakeConnection {
  const { settings, password, clock } = options
  const http = openHttpConnection(options, place, { maxBytes: responseMaxBytes, wrongServer: noSnowflake })
  const signIn = makeSignIn({ settings, host: place.host, password, clock })
  let backingOffUntilMs = -Infinity

  async function send({ method, path, body }: SnowflakeRequest): Promise<HttpResponse> {
    const headers = {
      ...signIn(),
      accept: 'application/json',
      'accept-encoding': 'gzip',
      'content-type': 'application/json',
      'user-agent': 'querypost',
    }
    const response = await http.request({ method, path, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (isBusy(response.status)) throw new ServerBusy()
    return response.headers['content-encoding'] === 'gzip' ? { ...response, body: await unzipped(response.body) } : response
  }

  return {
    async request(request) {
      for (const pauseMs of pausesMs) {
        try {
          return await send(request)
        } catch (error) {
          if (error instanceof TooManyBytes) throw tooLarge()
          const isLost = error instanceof ServerUnavailable && error.wasConnected
          if (!isLost && !(error instanceof ServerBusy)) throw error
          await clock.sleep(pauseMs)
        }
      }
      return send(request)
    },
    backOff() {
      backingOffUntilMs = clock.monotonicMs() + backOffMs
    },
    isBackingOff: () => clock.monotonicMs() < backingOffUntilMs,
    close: () => http.close(),
  }
}

const isBusy = (status: number) => status === 429 || status === 502 || status === 503 || status === 504

/** Followed by a 0 byte, like the body of every response. */
async function unzipped(body: Buffer): Promise<Buffer> {
  const text = await unzip(body.subarray(0, -1), { maxOutputLength: responseMaxBytes }).catch((error: unknown) => {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge()
    throw new ServerUnavailable(noSnowflake, { wasConnected: false, cause: error })
  })
  return Buffer.concat([text, Buffer.of(0)])
}

const tooLarge = () =>
  new EngineError('failed', `A part of the result is larger than ${responseMaxBytes / 1024 / 1024} MiB. Select fewer columns or shorten long values.`)
