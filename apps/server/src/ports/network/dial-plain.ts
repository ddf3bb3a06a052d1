import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { Clock } from '../clock.ts'
import { isSameAddress, type OpenSocket } from './dial-tls.ts'

export interface PlainDialling {
  clock: Clock
  openSocket: OpenSocket
  address: string
  port: number
  signal: AbortSignal
  /** How long it may take; null leaves it to the signal. */
  limitMs: number | null
}

/**
 * A connection without TLS to exactly this address, compared as in dial-tls.ts before anything is written. It is a way of
 * its own, so that whatever must be encrypted cannot come here by a wrong URL. Null when there is no connection.
 */
export function dialPlain(dialling: PlainDialling): Promise<Socket | null> {
  const { clock, openSocket, address, port, signal, limitMs } = dialling
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
