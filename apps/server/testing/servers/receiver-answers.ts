import type { Answer } from './https-receiver.ts'

/** A whole response, and in the same record what may come after it; the connection stays open. */
export function respond(status: number, body = '', headers: Record<string, string> = {}, after = ''): Answer {
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return write(`HTTP/1.1 ${status} Answer\r\n${lines.join('')}\r\n${body}${after}`)
}

/** These bytes, and the connection stays open. */
export function write(...parts: string[]): Answer {
  return (socket) => {
    for (const part of parts) socket.write(part)
  }
}

/** These bytes, and then the connection ends in good order. */
export function writeAndEnd(...parts: string[]): Answer {
  return (socket) => {
    write(...parts)(socket)
    socket.end()
  }
}

/** Nothing, ever. */
export const hang: Answer = () => {}

/** The connection is gone. */
export const drop: Answer = (socket) => socket.destroy()

/** These bytes at once, then one more at a time without an end. */
export function drip(start: string, next: string): Answer {
  return (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(next), 2)
    socket.once('close', () => clearInterval(timer))
  }
}

/** These bytes at once, then more of `next` for as long as somebody reads. */
export function flood(start: string, next: string): Answer {
  const chunk = Buffer.from(next.repeat(Math.ceil(65_536 / next.length)))
  return (socket) => {
    socket.write(start)
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // Until the buffer is full; then 'drain' goes on.
      }
    }
    socket.on('drain', pour)
    pour()
  }
}
