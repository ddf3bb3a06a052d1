import type { TLSSocket } from 'node:tls'
import { Client } from 'undici'
import type { Clock } from '../clock.ts'
import type { PostRequest } from './network.ts'
import { gateResponses, type ResponseGate } from './response-gate.ts'

/**
 * A *connection* is one TLS connection to one vetted address, with its own undici client, which writes requests to it one after
 * another and never opens another. It is *kept* while no request uses it.
 *
 * - A kept connection serves only its own key: the same endpoint, origin and address. Endpoints never share one.
 * - It is closed after `idleMs` without use (or as long as the server's Keep-Alive header says), and not reused once it is
 * `maxAgeMs`
 *   old. So none is older than these two and one request.
 * - At most `maxKept` are kept; the one unused the longest makes room.
 * - The most recently used is taken first, so that surplus connections expire.
 */
export interface Connection {
  readonly key: string
  readonly address: string
  readonly client: Client
  readonly socket: TLSSocket
  readonly gate: ResponseGate
  readonly openedMs: number
  idleSinceMs: number
  close(): void
}

export interface Connections {
  /** A kept connection to one of the addresses, in their order. */
  take(request: PostRequest): Connection | undefined
  open(request: PostRequest, address: string, socket: TLSSocket): Connection
  /** After a complete response. */
  keep(connection: Connection): void
}

export interface KeepingLimits {
  idleMs: number
  maxAgeMs: number
  maxKept: number
}

const maxHeaderBytes = 16_384

export function makeConnections({ clock, limits }: { clock: Clock; limits: KeepingLimits }): Connections {
  /** In the order in which they became idle. */
  const kept = new Set<Connection>()
  const byKey = new Map<string, Connection[]>()

  function forget(connection: Connection): void {
    if (!kept.delete(connection)) return
    const siblings = byKey.get(connection.key)!
    siblings.splice(siblings.lastIndexOf(connection), 1)
    if (siblings.length === 0) byKey.delete(connection.key)
  }

  function isFresh({ socket, openedMs, idleSinceMs }: Connection): boolean {
    const nowMs = clock.monotonicMs()
    return !socket.destroyed && nowMs - idleSinceMs < limits.idleMs && nowMs - openedMs < limits.maxAgeMs
  }

  return {
    take(request) {
      for (const address of request.addresses) {
        const key = keyOf(request, address)
        for (let connection = byKey.get(key)?.at(-1); connection; connection = byKey.get(key)?.at(-1)) {
          forget(connection)
          if (isFresh(connection)) return connection
          connection.close()
        }
      }
      return undefined
    },

    open(request, address, socket) {
      const client = makeClient(request.url.origin, socket, limits.idleMs)
      const nowMs = clock.monotonicMs()
      const connection: Connection = {
        key: keyOf(request, address),
        address,
        client,
        socket,
        gate: gateResponses(socket),
        openedMs: nowMs,
        idleSinceMs: nowMs,
        close() {
          client.destroy(null, () => {})
          // The client owns the socket only from its first request on.
          socket.destroy()
        },
      }
      socket.once('close', () => forget(connection))
      return connection
    },

    keep(connection) {
      connection.idleSinceMs = clock.monotonicMs()
      if (!isFresh(connection)) return connection.close()
      kept.add(connection)
      const siblings = byKey.get(connection.key)
      if (siblings) siblings.push(connection)
      else byKey.set(connection.key, [connection])
      if (kept.size > limits.maxKept) {
        const [oldest] = kept
        forget(oldest!)
        oldest!.close()
      }
    },
  }
}

function keyOf({ connectionsOf, url }: PostRequest, address: string): string {
  return `${connectionsOf} ${url.origin} ${address}`
}

function makeClient(origin: string, socket: TLSSocket, idleMs: number): Client {
  let isGivenOut = false
  return new Client(origin, {
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: maxHeaderBytes,
    // The request's signal limits these.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect(_options, callback) {
      // A second call comes after the connection has ended: undici would open another, which only the dialing code may do.
      const isFirst = !isGivenOut
      isGivenOut = true
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(new Error('the connection has ended'), null)))
    },
  })
}
