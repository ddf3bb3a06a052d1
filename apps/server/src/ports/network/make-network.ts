import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../clock.ts'
import type { Connection, Connections, KeepingLimits } from './connections.ts'
import { dial, type OpenSocket, openTcpSocket } from './dial-tls.ts'
import { exchange } from './http-exchange.ts'
import type { Network, PostAnswer, PostFailure, PostRequest } from './network.ts'
import { makeResolver } from './resolve.ts'

export interface NetworkOptions extends Partial<KeepingLimits> {
  clock: Clock
  /** Used instead of the system's: `address` or `address:port`. */
  dnsServers?: readonly string[]
  /** How long one address may take to connect while there is another to try. */
  dialLimitMs?: number
  openSocket?: OpenSocket
}

/**
 * The real network: HTTP/1.1 over TLS and nothing else, without redirects, Alt-Svc, or a proxy from the environment.
 *
 * A kept connection may end at the very moment it is reused, because the server's idle time was over. If such a connection ends
 * before the first byte of a response, the request is sent once more on a new connection. The receiver may then have received it
 * twice, as at-least-once delivery allows; otherwise a healthy receiver would see its delivery fail and wait for the next attempt.
 * If a new connection ends this way, that is the receiver's answer, and nothing is repeated.
 */
export function makeNetwork(options: NetworkOptions): Network {
  const { clock, dialLimitMs = 3000, idleMs = 30_000, maxAgeMs = 300_000, maxKept = 1024 } = options
  const resolver = makeResolver(options)
  let connections: Connections | undefined
  /** Every socket that is not closed yet: `close` ends them and waits for them. */
  const sockets = new Set<Socket>()
  let isClosed = false
  let secureContext: SecureContext | undefined

  const openSocket: OpenSocket = (to) => {
    const socket = (options.openSocket ?? openTcpSocket)(to)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  /** The HTTP client is loaded while the first connection is made: an idle process does without it. */
  async function openConnections(): Promise<Connections> {
    const { makeConnections } = await import('./connections.ts')
    return (connections ??= makeConnections({ clock, limits: { idleMs, maxAgeMs, maxKept } }))
  }

  async function dialInOrder(request: PostRequest, answer: PostAnswer): Promise<Connection | PostFailure> {
    let failure: PostFailure = { kind: 'connection_failed' }
    const opening = connections ?? openConnections()
    for (const [index, address] of request.addresses.entries()) {
      if (isOver(request)) break
      secureContext ??= createSecureContext()
      answer.address = address
      const { url, signal } = request
      const limitMs = index < request.addresses.length - 1 ? dialLimitMs : null
      const dialed = await dial({ clock, secureContext, openSocket, address, url, signal, limitMs })
      Object.assign(answer.phases, dialed.phases)
      if ('failure' in dialed) failure = dialed.failure
      else {
        const opened = await opening
        if (!dialed.socket.destroyed) return opened.open(request, address, dialed.socket)
      }
    }
    return failure
  }

  async function postOn(
    used: Connection,
    request: PostRequest,
    answer: PostAnswer,
  ): Promise<PostAnswer | 'nothing came'> {
    const exchanged = await exchange(used, request, clock)
    answer.address = used.address
    answer.phases.responseMs = exchanged.responseMs
    answer.phases.bodyMs = exchanged.bodyMs
    answer.response = exchanged.response
    if (!exchanged.isAnswered) {
      if (!exchanged.hasBytes && !isOver(request)) return 'nothing came'
      return fail(request, answer, { kind: 'response_broken' })
    }
    answer.status = exchanged.status
    if (exchanged.isWhole) connections!.keep(used)
    return answer
  }

  function fail(request: PostRequest, answer: PostAnswer, failure: PostFailure): PostAnswer {
    answer.failure = isOver(request) ? { kind: 'aborted' } : failure
    return answer
  }

  function isOver({ signal }: PostRequest): boolean {
    return isClosed || signal.aborted
  }

  return {
    resolve: (hostname, signal) => resolver.resolve(hostname, signal),

    async post(request) {
      if (isOver(request)) return { ...noAnswer(), failure: { kind: 'aborted' } }
      const kept = connections?.take(request)
      if (kept) {
        const answer = await postOn(kept, request, noAnswer())
        if (answer !== 'nothing came') return answer
      }
      const answer = noAnswer()
      const connection = await dialInOrder(request, answer)
      if ('kind' in connection) return fail(request, answer, connection)
      const last = await postOn(connection, request, answer)
      return last === 'nothing came' ? fail(request, answer, { kind: 'response_broken' }) : last
    },

    async close() {
      isClosed = true
      resolver.close()
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
      for (const socket of sockets) socket.destroy()
      await Promise.all(ended)
    },
  }
}

function noAnswer(): PostAnswer {
  return {
    address: null,
    phases: { connectMs: null, tlsMs: null, responseMs: null, bodyMs: null },
    status: null,
    response: new Uint8Array(0),
    failure: null,
  }
}
