import type { JsonBytes } from '../json-bytes.ts'

/**
 * Writes one value, which a database sent as the text at `start` to `end` of `source`, as JSON. It never makes a
 * JavaScript string of what is common: of a million rows, that takes longer than all the rest. A text that is not of
 * the expected form (people can change the form with settings of their own) is written as a string, as it stands.
 */
export type ValueWriter = (out: JsonBytes, source: Uint8Array, start: number, end: number) => void

export function textOf(source: Uint8Array, start: number, end: number): string {
  return Buffer.from(source.buffer, source.byteOffset + start, end - start).toString()
}
