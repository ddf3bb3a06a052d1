import { maxNesting } from '@querypost/visualization'

/**
 * Splits the text of a result, `{"fields":[…],"rows":[[…],[…],…],"rowCount":n}`, into the text of its fields and the text of
 * batches of its rows, each a JSON array. The text arrives in chunks that may end anywhere.
 *
 * It works on bytes, not characters: brackets and quotes are single bytes that never occur inside another UTF-8 character, so
 * a chunk may end in the middle of a character.
 */
export interface RowSplitter {
  /** The chunk must not be modified afterwards, because incomplete pieces keep references to it. */
  push(chunk: Uint8Array): string[]
  /** All rows have been read. */
  isOver(): boolean
  /** Some value so far nests deeper than `maxNesting`. */
  hasDeepValues(): boolean
}

const batchRows = 1000
const batchBytes = 1024 * 1024
export const rowMaxBytes = 16 * 1024 * 1024

/** A row too large for readers to hold in memory. */
export class RowTooLarge extends Error {
  override readonly name = 'RowTooLarge'
  constructor(maxBytes: number) {
    super(`A row of the result is larger than ${maxBytes / 1024 / 1024} MB. Select fewer or shorter columns.`)
  }
}

const [quote, backslash] = [0x22, 0x5c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Nesting depths: 1 is the object, 2 is `fields` and later `rows`, 3 is a field and later a row. */
const [objectDepth, listDepth, rowDepth] = [1, 2, 3]

export function makeRowSplitter(options: { rowMaxBytes?: number } = {}): RowSplitter {
  const maxBytes = options.rowMaxBytes ?? rowMaxBytes
  let depth = 0
  let isInString = false
  let isEscaped = false
  let hasDeepValues = false
  /** 0 while reading fields, 1 while reading rows, then 2. */
  let listsPassed = 0
  let rowCount = 0
  /** The parts of the current piece from earlier chunks. */
  let kept: Uint8Array[] = []
  let keptBytes = 0
  /** Where the last complete row of the piece ends, counted from the piece's beginning. */
  let wholeBytes = 0

  return {
    isOver: () => listsPassed === 2,
    hasDeepValues: () => hasDeepValues,
    push(chunk) {
      const pieces: string[] = []
      /** Where the current piece continues or begins in this chunk; -1 between pieces. */
      let from = keptBytes > 0 ? 0 : -1

      function finish(end: number): string {
        const text = Buffer.concat([...kept, chunk.subarray(Math.max(from, 0), end)]).toString()
        kept = []
        keptBytes = 0
        wholeBytes = 0
        rowCount = 0
        from = -1
        return text
      }

      for (let at = 0; at < chunk.length && listsPassed < 2; at++) {
        const byte = chunk[at]
        if (isInString) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) isInString = false
        } else if (byte === quote) isInString = true
        else if (byte === openBracket || byte === openBrace) {
          depth++
          const isBeginning = listsPassed === 0 ? depth === listDepth : depth === listDepth + 1
          if (isBeginning && from < 0) from = at
          if (depth > rowDepth + maxNesting) hasDeepValues = true
        } else if (byte === closeBracket || byte === closeBrace) {
          depth--
          if (depth === listDepth && listsPassed === 1) {
            rowCount++
            const bytes = keptBytes + at + 1 - from
            if (bytes - wholeBytes > maxBytes) throw new RowTooLarge(maxBytes)
            wholeBytes = bytes
            if (rowCount === batchRows || wholeBytes >= batchBytes) pieces.push(`[${finish(at + 1)}]`)
          } else if (depth === objectDepth) {
            if (listsPassed === 0) pieces.push(finish(at + 1))
            else if (rowCount > 0) pieces.push(`[${finish(at)}]`)
            listsPassed++
          }
        }
      }
      if (from >= 0 && listsPassed < 2) {
        kept.push(chunk.subarray(from))
        keptBytes += chunk.length - from
        if (keptBytes - wholeBytes > maxBytes) throw new RowTooLarge(maxBytes)
      }
      return pieces
    },
  }
}
