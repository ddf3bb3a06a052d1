/**
 * Splits a JSON file without parsing it, so that each *piece*, the text of one row, can be checked by itself: a line, an element of
 * the file's only array, or one of a sequence of values. Invalid JSON yields a piece that does not parse.
 */
export type JsonLayout = 'lines' | 'array' | 'values'

export interface JsonPiece {
  /** The line where it begins, counted from 1. */
  line: number
  bytes: Buffer
  /** The file ended or the piece grew too large before the value was complete. */
  isCutOff: boolean
}

/** DuckDB reads no larger row. */
export const pieceMaxBytes = 32 * 1024 * 1024

const [quote, backslash, comma, lineFeed] = [0x22, 0x5c, 0x2c, 0x0a]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const isBlank = (byte: number) => byte === 0x20 || byte === lineFeed || byte === 0x0d || byte === 0x09

export async function* jsonPieces(chunks: AsyncIterable<Buffer>, layout: JsonLayout): AsyncGenerator<JsonPiece> {
  const splitter = makeSplitter(layout)
  for await (const chunk of chunks) {
    yield* splitter.push(chunk)
    if (splitter.isTooLarge()) break
  }
  yield* splitter.end()
}

function makeSplitter(layout: JsonLayout) {
  let line = 1
  let depth = 0
  let isInString = false
  let isEscaped = false
  /** Whether the opening and the closing bracket of the array have been read. */
  let isOpen = layout !== 'array'
  let isClosed = false
  let pieceCount = 0
  /** The current piece. */
  let pieceLine = 1
  let isBegun = false
  let pending: Buffer[] = []
  let pendingBytes = 0

  function finish(rest: Buffer, isCutOff = false): JsonPiece {
    const piece = { line: pieceLine, bytes: Buffer.concat([...pending, rest]), isCutOff }
    isBegun = isInString = isEscaped = false
    depth = 0
    pending = []
    pendingBytes = 0
    return piece
  }

  /** Whether the piece ends before this byte, or with it. */
  function endAt(byte: number): 'before' | 'with' | undefined {
    if (layout === 'lines') return byte === lineFeed ? 'before' : undefined
    if (isInString) {
      if (isEscaped) isEscaped = false
      else if (byte === backslash) isEscaped = true
      else if (byte === quote) isInString = false
      return undefined
    }
    if (layout === 'array' && depth === 0 && (byte === comma || byte === closeBracket)) {
      isClosed = byte === closeBracket
      return 'before'
    }
    if (layout === 'values' && depth === 0 && isBlank(byte)) return 'before'
    if (byte === quote) isInString = true
    else if (byte === openBracket || byte === openBrace) depth++
    else if ((byte === closeBracket || byte === closeBrace) && depth > 0) {
      depth--
      if (depth === 0 && layout === 'values') return 'with'
    }
    return undefined
  }

  return {
    isTooLarge: () => pendingBytes > pieceMaxBytes,
    *push(chunk: Buffer): Generator<JsonPiece> {
      let from = 0
      for (let at = 0; at < chunk.length; at++) {
        const byte = chunk[at]!
        if (!isBegun && !isBlank(byte)) {
          if (!isOpen && byte === openBracket) {
            isOpen = true
            continue
          }
          isBegun = true
          from = at
          pieceLine = line
        }
        if (isBegun) {
          const end = endAt(byte)
          if (end) {
            const piece = finish(chunk.subarray(from, end === 'with' ? at + 1 : at))
            // An empty array has no elements, not one empty element.
            if (piece.bytes.length > 0 || pieceCount > 0 || !isClosed) yield piece
            pieceCount++
          }
        }
        if (byte === lineFeed) line++
      }
      if (!isBegun) return
      pending.push(Buffer.from(chunk.subarray(from)))
      pendingBytes += chunk.length - from
    },
    *end(): Generator<JsonPiece> {
      const isCutOff = pendingBytes > pieceMaxBytes || depth > 0 || isInString || (layout === 'array' && !isClosed)
      if (isBegun) yield finish(Buffer.alloc(0), isCutOff)
      else if (isCutOff) yield { line, bytes: Buffer.alloc(0), isCutOff }
    },
  }
}
