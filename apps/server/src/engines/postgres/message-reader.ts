/**
 * Reads the server's messages from a stream of bytes. Messages are read in place, without a copy or an object for each,
 * because a million rows are a million messages.
 */
import type { Duplex } from 'node:stream'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'

const headerBytes = 5
/** PostgreSQL writes bytes as hexadecimal digits, which are longer than the base64 they become. */
const longestMessageBytes = limitBytes * 2

export class MessageReader {
  /** The last message taken: its letter, and its content from `start` to `end` of `bytes`. */
  bytes: Buffer = Buffer.alloc(0)
  kind = 0
  start = 0
  end = 0
  /** The error that ended the stream, if any. */
  cause: unknown
  #next = 0
  #filled = 0
  #chunks: AsyncIterator<Buffer>
  #pending: Promise<Buffer | null> | undefined

  constructor(stream: Duplex) {
    this.#chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  }

  /** Takes the next message if it has arrived completely. */
  take(): boolean {
    if (this.#filled - this.#next < headerBytes) return false
    const length = this.bytes.readUInt32BE(this.#next + 1)
    if (length > longestMessageBytes) throw new TooManyBytes()
    const end = this.#next + 1 + length
    if (end > this.#filled) return false
    this.kind = this.bytes[this.#next]!
    this.start = this.#next + headerBytes
    this.end = end
    this.#next = end
    return true
  }

  /** Waits for more bytes; false when the connection has ended. Invalidates the message taken before. */
  async fill(): Promise<boolean> {
    const chunk = await this.chunk()
    if (chunk === null) return false
    if (this.#filled === this.#next) {
      this.bytes = chunk
      this.#filled = 0
      this.#next = 0
    } else {
      this.#makeRoom(chunk.length)
      chunk.copy(this.bytes, this.#filled)
    }
    this.#filled += chunk.length
    return true
  }

  /** The next bytes, or null at the end. Concurrent callers get the same bytes. */
  chunk(): Promise<Buffer | null> {
    this.#pending ??= this.#chunks
      .next()
      .then(
        ({ value, done }) => (done === true ? null : value),
        (cause: unknown) => {
          this.cause = cause
          return null
        },
      )
      .finally(() => (this.#pending = undefined))
    return this.#pending
  }

  /** Moves the beginning of a message to a buffer where the rest fits too, because a chunk has no room left. */
  #makeRoom(more: number): void {
    if (this.#filled + more <= this.bytes.length) return
    const remaining = this.#filled - this.#next
    const messageBytes = remaining < headerBytes ? 0 : 1 + this.bytes.readUInt32BE(this.#next + 1)
    const room = Buffer.allocUnsafeSlow(Math.max(messageBytes, remaining) + more)
    this.bytes.copy(room, 0, this.#next, this.#filled)
    this.bytes = room
    this.#next = 0
    this.#filled = remaining
  }
}
