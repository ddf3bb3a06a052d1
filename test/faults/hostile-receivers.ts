import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { AttemptFailure } from '@querypost/server/model'
import {
  type Answer,
  type Authority,
  drop,
  flood,
  hang,
  makeAuthority,
  makeSelfSigned,
  respond,
  startListener,
  startReceiver,
  write,
  writeAndEnd,
} from '@querypost/server/testing'

/** A misbehaving receiver, and how an attempt at it must be recorded. */
export interface Hostile {
  name: string
  kind: AttemptFailure['kind']
  /** The message for people. */
  message: RegExp
  start(authority: Authority): Promise<{ port: number; close(): Promise<void> }>
}

const deadline = { kind: 'deadline_passed', message: /within 10 seconds/ } as const
const broken = { kind: 'response_broken', message: /closed before the response was complete/ } as const

/** Receivers that would keep a worker waiting forever. */
export const hanging: Hostile[] = [
  { name: 'takes the connection and stays silent', ...deadline, start: () => startListener() },
  { name: 'takes the request and never answers', ...deadline, start: answering(hang) },
  {
    name: 'sends a byte of its headers a second',
    ...deadline,
    start: answering(oneBytePerSecond('HTTP/1.1 200 OK\r\nx-slow: ')),
  },
  {
    name: 'sends a byte of its body a second',
    ...deadline,
    start: answering(oneBytePerSecond('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')),
  },
]

/** Receivers that fail at once. */
export const failing: Hostile[] = [
  { name: 'closes the connection without a byte', ...broken, start: answering(drop) },
  {
    name: 'closes in the middle of its headers',
    ...broken,
    start: answering(writeAndEnd('HTTP/1.1 200 OK\r\ncontent-le')),
  },
  {
    name: 'closes in the middle of its body',
    ...broken,
    start: answering(writeAndEnd('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf')),
  },
  {
    name: 'sends headers without an end',
    ...broken,
    start: answering(flood('HTTP/1.1 200 OK\r\n', 'x-more: more and more\r\n')),
  },
  {
    name: 'sends early hints without an end',
    ...broken,
    start: answering(flood('', 'HTTP/1.1 103 Early Hints\r\n\r\n')),
  },
  {
    name: 'switches to another protocol',
    ...broken,
    start: answering(write('HTTP/1.1 101 Switching Protocols\r\n\r\n')),
  },
  {
    name: 'answers garbage',
    ...broken,
    start: answering(write('\0\u0001\u0002 this is not HTTP \r\n\r\n'.repeat(10))),
  },
  { name: 'answers 500', kind: 'status_not_2xx', message: /responded with 500/, start: answering(respond(500, 'oops')) },
  {
    name: 'has an expired certificate',
    ...tls(/has expired \(CERT_HAS_EXPIRED\)/),
    start: presenting((authority) =>
      authority.issue({ names: ['127.0.0.1'], notBefore: new Date('2024-01-01'), notAfter: new Date('2024-02-01') }),
    ),
  },
  {
    name: 'has a certificate for another name',
    ...tls(/is for another name/),
    start: presenting((authority) => authority.issue({ names: ['127.0.0.9', 'other.example'] })),
  },
  {
    name: 'has a self-signed certificate',
    ...tls(/is self-signed/),
    start: presenting(() => makeSelfSigned({ names: ['127.0.0.1'] })),
  },
  {
    name: 'has a certificate from an untrusted authority',
    ...tls(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT_LOCALLY/),
    start: presenting(async () => (await makeAuthority('Somebody else')).issue({ names: ['127.0.0.1'] })),
  },
  { name: 'speaks only TLS 1.0', ...tls(/TLS handshake failed/), start: startOldTls },
  {
    name: 'speaks http without TLS',
    ...tls(/TLS handshake failed/),
    start: () =>
      startListener({
        onSocket: (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
      }),
  },
]

function tls(message: RegExp) {
  return { kind: 'tls_failed', message } as const
}

function answering(answer: Answer): Hostile['start'] {
  return async (authority) =>
    startReceiver({ ...(await authority.issue({ names: ['127.0.0.1'] })), answer: () => answer })
}

function presenting(certificate: (authority: Authority) => Promise<{ key: string; cert: string }>): Hostile['start'] {
  return async (authority) => startReceiver({ ...(await certificate(authority)), answer: () => respond(204) })
}

function oneBytePerSecond(start: string): Answer {
  return (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write('a'), 1000)
    socket.once('close', () => clearInterval(timer))
  }
}

async function startOldTls(authority: Authority) {
  const server = createTlsServer({
    ...(await authority.issue({ names: ['127.0.0.1'] })),
    minVersion: 'TLSv1',
    maxVersion: 'TLSv1',
    ciphers: 'DEFAULT:@SECLEVEL=0',
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.close()
      await once(server, 'close')
    },
  }
}

/** Answers 200 and then sends up to this many bytes while the client reads; counts the bytes sent. */
export async function startHugeReceiver(authority: Authority, options: { sizeBytes: number }) {
  const sentBytes: number[] = []
  const chunk = Buffer.alloc(65_536, 'x')
  function answer(socket: TLSSocket) {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${options.sizeBytes}\r\n\r\n`)
    let left = options.sizeBytes
    const pour = () => {
      while (left > 0 && !socket.destroyed) {
        left -= chunk.length
        if (!socket.write(chunk)) return
      }
    }
    socket.on('drain', pour)
    socket.once('close', () => sentBytes.push(options.sizeBytes - left))
    pour()
  }
  const receiver = await startReceiver({ ...(await authority.issue({ names: ['127.0.0.1'] })), answer: () => answer })
  return { ...receiver, sentBytes }
}
