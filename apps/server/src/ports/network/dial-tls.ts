import type { Socket } from 'node:net'
import { connect as connectTcp, isIP, SocketAddress } from 'node:net'
import type { SecureContext, TLSSocket } from 'node:tls'
import { connect as connectTls } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { PostFailure } from './network.ts'

/** Opens a TCP connection. Replaced only by tests that must connect elsewhere. */
export type OpenSocket = (to: { host: string; port: number }) => Socket

export interface DialOptions {
  clock: Clock
  secureContext: SecureContext
  openSocket: OpenSocket
  address: string
  url: URL
  signal: AbortSignal
  /** Time limit for TCP and TLS together; null leaves it to the signal. */
  limitMs: number | null
}

/** A phase that has started has its milliseconds, even if it failed. */
export interface DialPhases {
  connectMs: number | null
  tlsMs: number | null
}

export type Dialed = { phases: DialPhases } & ({ socket: TLSSocket } | { failure: PostFailure })

/**
 * A TLS connection to exactly this address. Dialing involves no name, so nothing on the way (a lookup, the choice of an address
 * family) can redirect it, and the peer's address is verified before the first byte is sent. The URL's name is used only to check
 * the certificate.
 *
 * Trusts Node's certificate authorities and those the operator adds (NODE_EXTRA_CA_CERTS). Sessions are not resumed: each
 * connection checks the certificate again. A name in place of an address is rejected, not resolved.
 */
export function dial(options: DialOptions): Promise<Dialed> {
  if (isIP(options.address) !== 0) return dialAddress(options)
  return Promise.resolve({ phases: { connectMs: null, tlsMs: null }, failure: { kind: 'connection_failed' } })
}

function dialAddress({ clock, secureContext, openSocket, address, url, signal, limitMs }: DialOptions): Promise<Dialed> {
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

    function end(dialed: Dialed): void {
      // With an explicit reason: otherwise an error with a stack trace is created.
      over.abort('dialed')
      signal.removeEventListener('abort', stop)
      resolve(dialed)
    }
  })
}

export const openTcpSocket: OpenSocket = ({ host, port }) =>
  connectTcp({ host, port, autoSelectFamily: false, noDelay: true, keepAlive: true, keepAliveInitialDelay: 15_000 })

/** The name that the certificate must be valid for. SNI accepts only names, without the root dot. */
function nameOf({ hostname }: URL): { host: string; servername?: string } {
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  return isIP(host) === 0 ? { host, servername: host } : { host }
}

/** The same address has several spellings, and an IPv4 address may appear as IPv4-mapped IPv6. */
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

/** A connection that breaks during the TLS handshake is a failed connection; everything else is about certificates or OpenSSL. */
function tlsFailure(error: Error): PostFailure {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'ERR_TLS'
  return /^E[A-Z]+$/.test(code) ? { kind: 'connection_failed' } : { kind: 'tls_failed', detail: code }
}
