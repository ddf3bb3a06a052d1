import type { JsonBytes } from '../json-bytes.ts'

/**
 * Writes one value, which a database sent as the text from `start` to `end` of `source`, as JSON. Common values never become
 * JavaScript strings: for a million rows that would take longer than everything else. Text in an unexpected format (users can
 * change formats with settings) is written as a string.
 */
export type ValueWriter = (out: JsonBytes, source: Uint8Array, start: number, end: number) => void

export function textOf(source: Uint8Array, start: number, end: number): string {
  return Buffer.from(source.buffer, source.byteOffset + start, end - start).toString()
}
