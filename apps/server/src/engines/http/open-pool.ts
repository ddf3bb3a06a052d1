import { callbackify } from 'node:util'
import type { Pool } from 'undici'
import type { ServerPlace } from '../../model/server-settings.ts'
import type { ServerOptions } from '../server-options.ts'
import { dial } from './dial-http.ts'

/** Kept-alive connections to one place, to its allowed addresses only. */
export interface PlacePool {
  origin: string
  /** Opens the pool when it is first called. */
  pool(): Promise<Pool>
  close(): Promise<void>
}

export function openPool(options: ServerOptions, place: ServerPlace): PlacePool {
  const closing = new AbortController()
  const host = place.host.includes(':') ? `[${place.host}]` : place.host
  const { origin } = new URL(`${options.settings.tls === 'off' ? 'http' : 'https'}://${host}:${place.port}`)
  let opening: Promise<Pool> | undefined

  /** The HTTP client is loaded with the first request: few processes have a database that needs it. */
  async function open(): Promise<Pool> {
    const { Pool } = await import('undici')
    return new Pool(origin, {
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
  }

  return {
    origin,
    pool: () => (opening ??= open()),
    async close() {
      closing.abort()
      await (await opening)?.destroy()
    },
  }
}
