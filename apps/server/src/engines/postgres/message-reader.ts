/**
 * Reads the server's messages out of the bytes that come. A message is looked at where it lies, without a copy and
 * without an object of its own: a million rows are a million messages.
 */
import type { Duplex } from 'node:stream'
import { limitBytes, TooManyBytes } from '../json-bytes.ts'

const headerBytes = 5
/** PostgreSQL writes bytes as hexadecimal digits, which are half as long again in base64. */
const longestMessageBytes = limitBytes * 2

export class MessageReader {
  /** Where the message that was taken last lies: its letter, and its content from `start` to `end` of `bytes`. */
  bytes: Buffer = Buffer.alloc(0)
  kind = 0
  start = 0
  end = 0
  /** Why nothing comes any more, where something went wrong. */
  cause: unknown
  #next = 0
  #filled = 0
  #chunks: AsyncIterator<Buffer>
  #pending: Promise<Buffer | null> | undefined

  constructor(stream: Duplex) {
    this.#chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>
  }

  /** Takes the next message, if it is there as a whole. */
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

  /** Waits for more bytes; false when the connection has ended. What was taken before is gone then. */
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

  /** The bytes that come next, or null. Whoever asks while another waits gets the same. */
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

  /** The beginning of a message moves to a place where the rest of it fits too. A chunk as it came has no room left. */
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
