/**
 * A *window* on bytes that arrive in pieces: what has come and is not read yet, in one array that ends with a byte 0.
 * `at` is how far it is read; only what stands before `at` is ever thrown away.
 */
import { TooManyBytes } from '../json-bytes.ts'
import { skipSpace } from './values/json-text.ts'

export interface Window {
  at: number
  readonly end: number
  /** All that is here, with the 0 behind it. Another one after each `more`. */
  source(): Buffer
  /** Waits for more. False at the end of the bytes. */
  more(): Promise<boolean>
  /** The next byte that is no white space, waited for where need be; 0 at the end. It stays unread. */
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
      // All that is here does not hold it. Looked at again with every piece, a long value would take very long.
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
