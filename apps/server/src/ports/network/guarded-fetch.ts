import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import type { fetch as undiciFetch, RequestInit as UndiciInit } from 'undici'
import { abortAfter, type Clock } from '../clock.ts'
import { dial, type OpenSocket, openTcpSocket } from './dial-tls.ts'
import { dialPlain } from './dial-plain.ts'
import { GuardedFetchError, unreachable } from './guarded-fetch-error.ts'
import { NameError, type VettedAddress } from './network.ts'
import type { VettedPools } from './vetted-pools.ts'

/**
 * `fetch` for addresses chosen by members of an organization: of models and data connectors. It is used like the global one, with
 * streams and signals, but differs in these points:
 *
 * - Every request resolves its name again and has all answers vetted; an address in place of a name is vetted like an answer. A
 *   connection goes only to one of these addresses, and is reused only while the name still resolves to the same addresses.
 * - It requires https, unless the operator has allowed the network of every address (AGENT_ALLOWED_NETWORKS). The same applies to
 *   this service's own address.
 * - HTTP/1.1, no redirects (a 3xx is returned as it is), no Alt-Svc, no proxy from the environment.
 * - It throws a `GuardedFetchError`, or the signal's reason.
 */
export type GuardedFetch = typeof globalThis.fetch

export interface GuardedFetchOptions {
  clock: Clock
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>
  /** All addresses of the name, or why they may not be dialed. */
  vet(addresses: readonly string[]): { addresses: VettedAddress[] } | { fault: string }
  /** Whether the operator has allowed this address's network. */
  isAllowedPlain(address: VettedAddress): boolean
  /** BASE_URL. */
  ownUrl: URL
  openSocket?: OpenSocket
}

/** For name resolution, and again for connecting: TCP and TLS, all addresses together. */
const connectWithinMs = 10_000
/** How long one address may take to connect while there is another to try. */
const dialLimitMs = 3000

export function makeGuardedFetch(options: GuardedFetchOptions): { fetch: GuardedFetch; close(): Promise<void> } {
  const { clock } = options
  const sockets = new Set<Socket>()
  const closing = new AbortController()
  let loading: Promise<{ fetchByUndici: typeof undiciFetch; pools: VettedPools }> | undefined
  let secureContext: SecureContext | undefined

  const openSocket: OpenSocket = (to) => {
    const socket = (options.openSocket ?? openTcpSocket)(to)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  /** The HTTP client is loaded with the first request: an idle process does without it. */
  async function load() {
    const [{ fetch: fetchByUndici }, { makeVettedPools }] = await Promise.all([import('undici'), import('./vetted-pools.ts')])
    return { fetchByUndici, pools: makeVettedPools({ connect }) }
  }

  async function connect(origin: URL, addresses: readonly VettedAddress[]): Promise<Socket> {
    const limit = abortAfter(clock, connectWithinMs)
    const signal = AbortSignal.any([limit.signal, closing.signal])
    let fault: Error = unreachable(origin.host)
    try {
      for (const [index, address] of addresses.entries()) {
        const limitMs = index < addresses.length - 1 ? dialLimitMs : null
        const dialed = await dialBy({ origin, address, signal, limitMs })
        if (!(dialed instanceof Error)) return dialed
        fault = dialed
      }
      throw fault
    } finally {
      limit.cancel()
    }
  }

  async function dialBy(to: { origin: URL; address: string; signal: AbortSignal; limitMs: number | null }) {
    const { origin, ...rest } = to
    if (origin.protocol === 'http:') {
      const port = Number(portOf(origin))
      return (await dialPlain({ clock, openSocket, port, ...rest })) ?? unreachable(origin.host)
    }
    secureContext ??= createSecureContext()
    const dialed = await dial({ clock, openSocket, secureContext, url: origin, ...rest })
    if ('socket' in dialed) return dialed.socket
    const { failure } = dialed
    if (failure.kind !== 'tls_failed' || failure.detail.startsWith('ERR_SSL')) return unreachable(origin.host)
    const message = `The certificate of ${origin.host} is not valid: ${failure.detail}.`
    return new GuardedFetchError('certificate', message)
  }

  async function addressesOf(url: URL, signal: AbortSignal | undefined): Promise<VettedAddress[]> {
    const vetted = options.vet(await answersFor(url, signal))
    if ('fault' in vetted) throw refused(`${vetted.fault} Set AGENT_ALLOWED_NETWORKS to allow it.`)
    const { addresses } = vetted
    if (addresses.every(options.isAllowedPlain)) return addresses
    if (url.protocol === 'http:') {
      const remedy = 'Set AGENT_ALLOWED_NETWORKS to allow http:// in your own networks.'
      throw refused(`The URL must begin with https://. ${remedy}`)
    }
    if (isSameService(url, options.ownUrl)) throw refused("The URL must not be this service's own address.")
    return addresses
  }

  async function answersFor({ hostname }: URL, signal: AbortSignal | undefined): Promise<string[]> {
    const literal = hostname.replace(/^\[|\]$/g, '')
    if (isIP(literal) !== 0) return [literal]
    // Always this machine, so DNS is not asked (RFC 6761).
    if (/^(.+\.)?localhost\.?$/.test(hostname)) return ['127.0.0.1']
    const limit = abortAfter(clock, connectWithinMs)
    try {
      const signals = [limit.signal, closing.signal, ...(signal ? [signal] : [])]
      return await options.resolve(hostname, AbortSignal.any(signals))
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof NameError)) throw error
      if (error.isFinal) throw refused(`The host name ${hostname} does not exist or has no address.`)
      throw new GuardedFetchError('unreachable', `The host name ${hostname} could not be resolved; try again.`)
    } finally {
      limit.cancel()
    }
  }

  async function guardedFetch(input: string | URL | Request, given: RequestInit = {}): Promise<Response> {
    const { url, init } = plainRequest(input, given)
    const signal = init.signal ?? undefined
    signal?.throwIfAborted()
    if (closing.signal.aborted) throw unreachable(url.host)
    if (!['https:', 'http:'].includes(url.protocol)) throw refused('The URL must begin with https://.')
    const addresses = await addressesOf(url, signal)
    const { fetchByUndici, pools } = await (loading ??= load())
    const { pool, release } = pools.take(url, addresses)
    try {
      const undiciInit = { ...init, redirect: 'manual', dispatcher: pool } as unknown as UndiciInit
      // The same class; which of its two declarations `Response` is depends on what else is compiled with this file.
      return (await fetchByUndici(url, undiciInit)) as unknown as Response
    } catch (error) {
      signal?.throwIfAborted()
      throw faultOf(error, url)
    } finally {
      release()
    }
  }

  return {
    fetch: guardedFetch,
    async close() {
      closing.abort()
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      await (await loading)?.pools.destroy()
      for (const socket of sockets) socket.destroy()
      await Promise.all(ended)
    },
  }
}

/** Undici accepts only its own classes, so Node's `Request` and `FormData` are taken apart. */
function plainRequest(input: string | URL | Request, init: RequestInit): { url: URL; init: RequestInit } {
  if (!(input instanceof Request) && !(init.body instanceof FormData)) return { url: new URL(input), init }
  const { url, method, headers, body, signal } = new Request(input, init)
  return { url: new URL(url), init: { method, headers: [...headers], signal, ...(body && { body, duplex: 'half' }) } }
}

/** An invalid request is the caller's mistake; any other error of undici is about the connection. */
function faultOf(error: unknown, url: URL): unknown {
  const cause = error instanceof TypeError ? error.cause : undefined
  if (cause instanceof GuardedFetchError) return cause
  return cause === undefined ? error : unreachable(url.host)
}

/** Another port of the same host is another service. */
function isSameService(url: URL, own: URL): boolean {
  return url.hostname.replace(/\.$/, '') === own.hostname.replace(/\.$/, '') && portOf(url) === portOf(own)
}

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')

const refused = (message: string) => new GuardedFetchError('refused', message)
