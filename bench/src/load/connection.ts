import { connect } from 'node:net'

/**
 * A keep-alive HTTP/1.1 connection on a plain socket, with one request at a time. It parses only the status and content-length of a
 * response, so that the client uses little CPU.
 */
export interface Connection {
  request(message: Buffer): Promise<Answer>
  close(): void
}

export interface Answer {
  status: number
  sizeBytes: number
  /** Empty unless the connection keeps bodies. */
  body: Buffer
}

export interface RequestOptions {
  method?: 'GET' | 'POST'
  path: string
  key?: string
  headers?: Record<string, string>
}

export function requestMessage({ method = 'GET', path, key, headers = {} }: RequestOptions): Buffer {
  const lines = Object.entries({
    host: '127.0.0.1',
    ...(key && { authorization: `Bearer ${key}` }),
    ...(method === 'POST' && { 'content-length': '0' }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

const endOfHead = Buffer.from('\r\n\r\n')
const readBufferBytes = 256 * 1024

export function openConnection(options: { port: number; keepsBodies?: boolean }): Promise<Connection> {
  let waiting: PromiseWithResolvers<Answer> | undefined
  let head: Buffer | undefined
  let status = 0
  let sizeBytes = 0
  let missingBytes = 0
  let pieces: Buffer[] = []

  function takeHead(bytes: Buffer): Buffer | undefined {
    head = head ? Buffer.concat([head, bytes]) : Buffer.from(bytes)
    const end = head.indexOf(endOfHead)
    if (end < 0) return undefined
    const text = head.toString('latin1', 0, end)
    const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
    if (length === undefined) throw new Error(`Response without content-length:\n${text}`)
    status = Number(text.slice(9, 12))
    sizeBytes = missingBytes = Number(length)
    return head.subarray(end + endOfHead.length)
  }

  function take(bytes: Buffer): void {
    let body: Buffer | undefined = bytes
    if (status === 0) body = takeHead(bytes)
    if (body === undefined) return
    missingBytes -= body.length
    if (options.keepsBodies) pieces.push(Buffer.from(body))
    if (missingBytes > 0) return
    const answer = { status, sizeBytes, body: Buffer.concat(pieces) }
    const asked = waiting
    waiting = head = undefined
    status = 0
    pieces = []
    asked?.resolve(answer)
  }

  return new Promise((resolve, reject) => {
    // One buffer for all reads, so that nothing is allocated for bytes that are only counted.
    const buffer = Buffer.allocUnsafe(readBufferBytes)
    let broken: Error | undefined
    const fail = (error: Error) => {
      broken ??= error
      waiting?.reject(error)
      reject(error)
    }
    const socket = connect({
      port: options.port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback(count) {
          try {
            take(buffer.subarray(0, count))
          } catch (error) {
            fail(error as Error)
          }
          return true
        },
      },
    })
    socket.setNoDelay(true)
    socket.on('error', fail)
    socket.on('close', () => fail(new Error('The connection was closed.')))
    socket.once('connect', () =>
      resolve({
        request(message) {
          if (broken) return Promise.reject(broken)
          waiting = Promise.withResolvers<Answer>()
          socket.write(message)
          return waiting.promise
        },
        close: () => socket.destroy(),
      }),
    )
  })
}
