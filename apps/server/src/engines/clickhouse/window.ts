/**
 * A *window* on bytes that arrive in chunks: the unread bytes so far, in one array that ends with a 0 byte.
 * `at` is the read position; only bytes before it are ever discarded.
 */
import { TooManyBytes } from '../json-bytes.ts'
import { skipSpace } from '../json-values/json-text.ts'

export interface Window {
  at: number
  readonly end: number
  /** All buffered bytes and the terminating 0. Each call of `more` may replace the array. */
  source(): Buffer
  /** Waits for more bytes. False at the end. */
  more(): Promise<boolean>
  /** The next byte that is not white space, without consuming it; 0 at the end. Waits for more bytes if needed. */
  byte(): Promise<number>
}

const startBytes = 256 * 1024

export function openWindow(next: () => Promise<Uint8Array | null>, limitBytes: number): Window {
  let bytes = Buffer.allocUnsafe(startBytes)
  bytes[0] = 0
  let source = bytes.subarray(0, 1)
  let isOver = false

  function take(piece: Uint8Array): void {
    const kept = window.end - window.at
    if (kept > limitBytes) throw new TooManyBytes()
    const needed = kept + piece.length + 1
    const target = needed > bytes.length ? Buffer.allocUnsafe(Math.max(needed, bytes.length * 2)) : bytes
    bytes.copy(target, 0, window.at, window.end)
    target.set(piece, kept)
    target[needed - 1] = 0
    bytes = target
    window.at = 0
    window.end = needed - 1
    source = bytes.subarray(0, needed)
  }

  const window = {
    at: 0,
    end: 0,
    source: () => source,
    async more(): Promise<boolean> {
      if (isOver) return false
      // The value is longer than the buffered bytes. Wait until they have doubled, or scanning again after every chunk would be quadratic.
      const wanted = (window.end - window.at) * 2
      let hasMore = false
      do {
        const piece = await next()
        if (piece === null) isOver = true
        else take(piece)
        hasMore ||= piece !== null
      } while (!isOver && wanted > startBytes && window.end - window.at < wanted)
      return hasMore
    },
    async byte(): Promise<number> {
      for (;;) {
        window.at = skipSpace(source, window.at)
        const byte = source[window.at]!
        if (byte !== 0 || isOver || !(await window.more())) return byte
      }
    },
  }
  return window
}
