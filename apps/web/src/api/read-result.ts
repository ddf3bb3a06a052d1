import { maxNesting, parseRows } from '@querypost/visualization'
import type { Field } from './generated/schemas.ts'

/**
 * Reads a result, `{"fields":[…],"rows":[[…],[…],…],"rowCount":N}`, from a stream of bytes. Each push returns the rows that end in
 * that piece, so its cost is bounded by the size of the piece, not of the result.
 *
 * - *Depth* counts open brackets and braces: 1 is the object, 2 `fields` and then `rows`, 3 a field and then a row.
 * - The *head* is everything up to the bracket that opens `rows`; the fields are known once it has arrived.
 * - The *pending* bytes follow the last returned row. Between pushes they are less than one row.
 *
 * JSON's structural characters are single bytes in UTF-8, so the end of a row can be found without decoding.
 */
export interface ResultReader {
  /** Null until the head has arrived. */
  readonly fields: Field[] | null
  /** Whether the object is closed and the result complete. */
  readonly isWhole: boolean
  push(piece: Uint8Array): unknown[][]
}

const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]
const rowDepth = 3

export function makeResultReader(): ResultReader {
  let fields: Field[] | null = null
  let pending: Uint8Array[] = []
  let depth = 0
  let isInString = false
  let isEscaped = false
  let listsAtDepth2 = 0
  let isWhole = false
  let hasDeepValues = false

  /** Where the head and the last complete row end in the piece, or -1. */
  function scan(piece: Uint8Array): { headEnd: number; rowsEnd: number } {
    let headEnd = -1
    let rowsEnd = -1
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at]!
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isInString = false
      } else if (byte === quote) isInString = true
      else if (byte === openList || byte === openObject) {
        depth++
        if (depth > rowDepth + maxNesting) hasDeepValues = true
        if (depth === 2 && byte === openList && ++listsAtDepth2 === 2) headEnd = at + 1
      } else if (byte === closeList || byte === closeObject) {
        if (depth === rowDepth && byte === closeList) rowsEnd = at + 1
        depth--
        if (depth === 0) isWhole = true
      }
    }
    return { headEnd, rowsEnd }
  }

  return {
    get fields() {
      return fields
    },
    get isWhole() {
      return isWhole
    },
    push(piece) {
      const { headEnd, rowsEnd } = scan(piece)
      let rest = piece
      if (headEnd !== -1) {
        const head = textOf([...pending, piece.subarray(0, headEnd)])
        fields = (JSON.parse(`${head}]}`) as { fields: Field[] }).fields
        pending = []
        rest = piece.subarray(headEnd)
      }
      if (rowsEnd === -1) {
        pending.push(rest)
        return []
      }
      const rowsLength = rowsEnd - (piece.length - rest.length)
      // A comma precedes every row but the first.
      const text = textOf([...pending, rest.subarray(0, rowsLength)]).replace(/^,/, '')
      pending = [rest.slice(rowsLength)]
      return hasDeepValues ? parseRows(`[${text}]`) : (JSON.parse(`[${text}]`) as unknown[][])
    },
  }
}

function textOf(pieces: Uint8Array[]): string {
  const bytes = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return new TextDecoder().decode(bytes)
}
