import type { Answer } from './https-receiver.ts'

/** Sends a complete response and, in the same record, anything `after` it. Keeps the connection open. */
export function respond(status: number, body = '', headers: Record<string, string> = {}, after = ''): Answer {
  const length = status === 204 ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return write(`HTTP/1.1 ${status} Answer\r\n${lines.join('')}\r\n${body}${after}`)
}

/** Sends these bytes and keeps the connection open. */
export function write(...parts: string[]): Answer {
  return (socket) => {
    for (const part of parts) socket.write(part)
  }
}

/** Sends these bytes and closes the connection cleanly. */
export function writeAndEnd(...parts: string[]): Answer {
  return (socket) => {
    write(...parts)(socket)
    socket.end()
  }
}

/** Never answers. */
export const hang: Answer = () => {}

/** Drops the connection. */
export const drop: Answer = (socket) => socket.destroy()

/** Sends these bytes at once, then `next` again and again, slowly and without end. */
export function drip(start: string, next: string): Answer {
  return (socket) => {
    socket.write(start)
    const timer = setInterval(() => socket.write(next), 2)
    socket.once('close', () => clearInterval(timer))
  }
}

/** Sends these bytes at once, then `next` as fast as the client reads. */
export function flood(start: string, next: string): Answer {
  const chunk = Buffer.from(next.repeat(Math.ceil(65_536 / next.length)))
  return (socket) => {
    socket.write(start)
    const pour = () => {
      while (!socket.destroyed && socket.write(chunk)) {
        // Until the buffer is full; then 'drain' continues.
      }
    }
    socket.on('drain', pour)
    pour()
  }
}
