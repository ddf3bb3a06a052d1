import { callbackify } from 'node:util'
import { Pool } from 'undici'
import type { ServerPlace } from '../../model/server-settings.ts'
import type { ServerOptions } from '../server-options.ts'
import { dial } from './dial-http.ts'

/** Kept-alive connections to one place, to its allowed addresses only. */
export interface PlacePool {
  origin: string
  pool: Pool
  close(): Promise<void>
}

export function openPool(options: ServerOptions, place: ServerPlace): PlacePool {
  const closing = new AbortController()
  const host = place.host.includes(':') ? `[${place.host}]` : place.host
  const { origin } = new URL(`${options.settings.tls === 'off' ? 'http' : 'https'}://${host}:${place.port}`)
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
  return {
    origin,
    pool,
    close() {
      closing.abort()
      return pool.destroy()
    },
  }
}
