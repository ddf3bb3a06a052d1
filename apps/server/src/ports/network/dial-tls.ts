import type { Socket } from 'node:net'
import { connect as connectTcp, isIP, SocketAddress } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { PostFailure } from './network.ts'

/** Opens a TCP connection. Replaced only by tests that must land elsewhere. */
export type OpenSocket = (to: { host: string; port: number }) => Socket

export interface Dialling {
  clock: Clock
  secureContext: SecureContext
  openSocket: OpenSocket
  address: string
  url: URL
  signal: AbortSignal
  /** How long TCP and TLS may take together; null leaves it to the signal. */
  limitMs: number | null
}

/** A phase that has begun has its milliseconds, even when it failed. */
export interface DialPhases {
  connectMs: number | null
  tlsMs: number | null
}

export type Dialled = { phases: DialPhases } & ({ socket: TLSSocket } | { failure: PostFailure })

/**
 * A TLS connection to exactly this address. There is no name in the dialling, so nothing on the way (a lookup, the
 * choice between address families) can lead elsewhere, and what the system says it is connected to is compared before
 * the first byte goes out. The name of the URL is only what the certificate is checked for.
 *
 * Trust is Node's own, with what the operator adds to it (NODE_EXTRA_CA_CERTS). Sessions are not resumed: each
 * connection checks the certificate again.
 * A name in the place of an address is refused, not resolved.
 */
export function dial(dialling: Dialling): Promise<Dialled> {
  if (isIP(dialling.address) !== 0) return dialAddress(dialling)
  return Promise.resolve({ phases: { connectMs: null, tlsMs: null }, failure: { kind: 'connection_failed' } })
}

function dialAddress({ clock, secureContext, openSocket, address, url, signal, limitMs }: Dialling): Promise<Dialled> {
  return new Promise((resolve) => {
    const startedMs = clock.monotonicMs()
    let connectedMs: number | null = null
    let secure: TLSSocket | null = null
    const over = new AbortController()

    const socket = openSocket({ host: address, port: url.port === '' ? 443 : Number(url.port) })
    socket.on('error', () => fail({ kind: 'connection_failed' }))
    socket.on('close', () => fail({ kind: 'connection_failed' }))
    socket.once('connect', () => {
      connectedMs = clock.monotonicMs()
      if (!isSameAddress(socket.remoteAddress, address)) return stop()
      secure = connectTls({ socket, secureContext, ALPNProtocols: ['http/1.1'], ...nameOf(url) })
      secure.on('error', (error) => fail(tlsFailure(error)))
      secure.on('close', () => fail({ kind: 'connection_failed' }))
      secure.once('secureConnect', () => end({ phases: phases(), socket: secure! }))
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    if (limitMs !== null) void clock.sleep(limitMs, over.signal).then(() => over.signal.aborted || stop())

    function stop(): void {
      secure?.destroy()
      socket.destroy()
    }

    function phases(): DialPhases {
      const nowMs = clock.monotonicMs()
      if (connectedMs === null) return { connectMs: nowMs - startedMs, tlsMs: null }
      return { connectMs: connectedMs - startedMs, tlsMs: secure ? nowMs - connectedMs : null }
    }

    function fail(failure: PostFailure): void {
      if (over.signal.aborted) return
      end({ phases: phases(), failure })
      stop()
    }

    function end(dialled: Dialled): void {
      over.abort()
      signal.removeEventListener('abort', stop)
      resolve(dialled)
    }
  })
}

export const openTcpSocket: OpenSocket = ({ host, port }) =>
  connectTcp({ host, port, autoSelectFamily: false, noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 })

/** What the certificate must be for. SNI takes names only, without the dot of the root. */
function nameOf({ hostname }: URL): { host: string; servername?: string } {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(host) === 0 ? { host, servername: host } : { host }
}

/** The same address has several spellings, and an IPv4 one may be shown as mapped into IPv6. */
export function isSameAddress(one: string | undefined, other: string): boolean {
  const spelled = one === undefined ? null : oneSpelling(one)
  return spelled !== null && spelled === oneSpelling(other)
}

function oneSpelling(text: string): string | null {
  const family = isIP(text)
  if (family === 0 || text.includes('%')) return null
  const { address } = new SocketAddress({ address: text, family: family === 4 ? 'ipv4' : 'ipv6' })
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}

/**
 * A connection that breaks while TLS is being agreed on is a connection that failed; the rest are certificates and
 * OpenSSL.
 */
function tlsFailure(error: Error): PostFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'ERR_TLS'
  return /^E[A-Z]+$/.test(code) ? { kind: 'connection_failed' } : { kind: 'tls_failed', detail: code }
}
