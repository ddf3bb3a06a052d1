import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import { isSameAddress, type OpenSocket } from './dial-tls.ts'

export interface PlainDialOptions {
  clock: Clock
  openSocket: OpenSocket
  address: string
  port: number
  signal: AbortSignal
  /** Time limit; null leaves it to the signal. */
  limitMs: number | null
}

/**
 * A connection without TLS to exactly this address, verified as in dial-tls.ts before anything is written. This is separate code,
 * so that a wrong URL cannot make encrypted traffic end up here. Null if there is no connection.
 */
export function dialPlain(options: PlainDialOptions): Promise<Socket | null> {
  const { clock, openSocket, address, port, signal, limitMs } = options
  if (isIP(address) === 0) return Promise.resolve(null)
  return new Promise((resolve) => {
    const over = new AbortController()
    const socket = openSocket({ host: address, port })
    const stop = () => socket.destroy()
    const end = (connected: Socket | null) => {
      over.abort()
      signal.removeEventListener('abort', stop)
      resolve(connected)
    }
    socket.on('error', () => end(null))
    socket.on('close', () => end(null))
    socket.once('connect', () => (isSameAddress(socket.remoteAddress, address) ? end(socket) : stop()))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    if (limitMs !== null) void clock.sleep(limitMs, over.signal).then(() => over.signal.aborted || stop())
  })
}
