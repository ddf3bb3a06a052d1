import { once } from 'node:events'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { createServer as createTlsServer } from 'node:tls'

/** A request as the receiver got it. */
export interface Received {
  method: string
  path: string
  /** Names are in lower case. */
  headers: Record<string, string>
  body: Buffer
  /** Which of the receiver's connections it came on, from 0. */
  connection: number
  /** The server name of the TLS handshake; null if there was none. */
  servername: string | null
}

/** How a receiver responds: it writes to the connection, correctly or not, or does nothing. */
export type Answer = (socket: TLSSocket) => void

export interface Listener {
  readonly port: number
  /** How many connections have been accepted. */
  connectionCount(): number
  /** How many of them are open. */
  openCount(): number
  /** Resolves when no more than this many are open. */
  untilOpen(count: number): Promise<void>
  /** Closes the open connections, as a restart would. */
  dropConnections(): void
  close(): Promise<void>
}

export interface Receiver extends Listener {
  readonly requests: Received[]
  /** Resolves when this many requests have arrived. */
  untilReceived(count: number): Promise<void>
}

export interface ReceiverOptions {
  key: string
  cert: string
  answer: (request: Received) => Answer
  host?: string
  port?: number
}

/**
 * A scripted https server on loopback that records its requests. It parses HTTP/1.1 itself, so that it can send invalid
 * responses.
 */
export async function startReceiver({ key, cert, answer, host, port }: ReceiverOptions): Promise<Receiver> {
  const requests: Received[] = []
  const waiting = new Set<() => void>()
  // With noDelay, each write is sent at once as its own TLS record.
  const server = createTlsServer({ key, cert, noDelay: true })
  const listener = await listen({ server, host, port })
  let secureCount = 0
  server.on('tlsClientError', () => {})
  server.on('secureConnection', (socket: TLSSocket) => {
    const connection = secureCount++
    const servername = socket.servername === false || socket.servername === undefined ? null : socket.servername
    socket.on('error', () => {})
    readRequests(socket, (request) => {
      const received: Received = { ...request, connection, servername: servername || null }
      requests.push(received)
      for (const check of waiting) check()
      answer(received)(socket)
    })
  })
  return {
    ...listener,
    requests,
    untilReceived: (count) =>
      new Promise((resolve) => {
        const check = () => {
          if (requests.length < count) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}

/** A TCP server on loopback that passes each connection to `onSocket`. */
export function startListener({
  onSocket = () => {},
  ...where
}: { onSocket?: (socket: Socket) => void; host?: string; port?: number } = {}): Promise<Listener> {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    onSocket(socket)
    // A socket that is not read does not notice that the other side closes it.
    socket.resume()
  })
  return listen({ server, ...where })
}

interface Listening {
  server: Server
  host?: string | undefined
  port?: number | undefined
}

async function listen({ server, host = '127.0.0.1', port = 0 }: Listening): Promise<Listener> {
  const open = new Set<Socket>()
  let count = 0
  server.on('connection', (socket: Socket) => {
    count++
    open.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => open.delete(socket))
  })
  server.listen(port, host)
  await once(server, 'listening')
  const dropConnections = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    port: (server.address() as AddressInfo).port,
    connectionCount: () => count,
    openCount: () => open.size,
    async untilOpen(wanted) {
      while (open.size > wanted) await Promise.race([...open].map((socket) => once(socket, 'close')))
    },
    dropConnections,
    async close() {
      dropConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

type Request = Omit<Received, 'connection' | 'servername'>

function readRequests(socket: TLSSocket, take: (request: Request) => void): void {
  let bytes = Buffer.alloc(0)
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk])
    for (;;) {
      const headEnd = bytes.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const [start, ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n')
      const [method, path] = start!.split(' ')
      const headers = Object.fromEntries(lines.map((line) => [nameOf(line), line.slice(line.indexOf(':') + 1).trim()]))
      const bodyStart = headEnd + 4
      const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0)
      if (bytes.length < bodyEnd) return
      const body = Buffer.from(bytes.subarray(bodyStart, bodyEnd))
      bytes = bytes.subarray(bodyEnd)
      take({ method: method!, path: path!, headers, body })
    }
  })
}

function nameOf(headerLine: string): string {
  return headerLine.slice(0, headerLine.indexOf(':')).toLowerCase()
}
