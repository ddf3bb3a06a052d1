import type { Socket } from 'node:net'
import type { SecureContext } from 'node:tls'
import { createSecureContext } from 'node:tls'
import type { Clock } from '../clock.ts'
import { type Connection, type KeepingLimits, makeConnections } from './connections.ts'
import { dial, type OpenSocket, openTcpSocket } from './dial-tls.ts'
import { exchange } from './http-exchange.ts'
import type { Network, PostAnswer, PostFailure, PostRequest } from './network.ts'
import { makeResolver } from './resolve.ts'

export interface NetworkOptions extends Partial<KeepingLimits> {
  clock: Clock
  /** Asked in the place of the system's: `address` or `address:port`. */
  dnsServers?: readonly string[]
  /** How long one address may take to connect while there is another to try. */
  dialLimitMs?: number
  openSocket?: OpenSocket
}

/**
 * The network, for real. HTTP/1.1 over TLS and nothing else: no redirects, no Alt-Svc, no proxy from the environment.
 *
 * A kept connection may end at the very moment it is used again: the server's idle time was over. When such a
 * connection ends before a single byte of a response, the request is made once more, on a new connection. The
 * receiver may then have had it twice, as deliveries at least once allow; without this, a healthy receiver would see
 * its delivery fail and wait for the next attempt. A new connection that ends so is the receiver's answer, and
 * nothing is repeated.
 */
export function makeNetwork(options: NetworkOptions): Network {
  const { clock, dialLimitMs = 3000, idleMs = 30_000, maxAgeMs = 300_000, maxKept = 1024 } = options
  const resolver = makeResolver(options)
  const connections = makeConnections({ clock, limits: { idleMs, maxAgeMs, maxKept } })
  /** Every socket that is not closed yet: what `close` has to end and to wait for. */
  const sockets = new Set<Socket>()
  let isClosed = false
  let secureContext: SecureContext | undefined

  const openSocket: OpenSocket = (to) => {
    const socket = (options.openSocket ?? openTcpSocket)(to)
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }

  async function dialInOrder(request: PostRequest, answer: PostAnswer): Promise<Connection | PostFailure> {
    let failure: PostFailure = { kind: 'connection_failed' }
    for (const [index, address] of request.addresses.entries()) {
      if (isOver(request)) break
      secureContext ??= createSecureContext()
      answer.address = address
      const { url, signal } = request
      const limitMs = index < request.addresses.length - 1 ? dialLimitMs : null
      const dialled = await dial({ clock, secureContext, openSocket, address, url, signal, limitMs })
      Object.assign(answer.phases, dialled.phases)
      if ('socket' in dialled) return connections.open(request, address, dialled.socket)
      failure = dialled.failure
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
    if (exchanged.isWhole) connections.keep(used)
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
      const kept = connections.take(request)
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
