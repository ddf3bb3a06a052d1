/** Reads the members of a JSON object and rows in it, from a source that is complete and ends with a 0 byte. */
import type { RowBatcher } from '../row-batches.ts'
import {
  closeBrace, closeBracket, colon, comma, endOfString, endOfToken, incomplete, NotJson, openBrace, openBracket, quote, type Rewriter,
  skipSpace,
} from './json-text.ts'

/** Returned instead of a position to read no further. */
export const paused = -2

/** Calls `read` for every member, which returns the position after its value. `from` continues after the value of a member. */
export function readMembers(source: Buffer, read: (key: string, valueStart: number) => number, from?: number): void {
  let at = from === undefined ? expect(source, skipSpace(source, 0), openBrace) : skipSpace(source, from)
  while (source[at] !== closeBrace) {
    if (source[at] === comma) at = skipSpace(source, at + 1)
    if (source[at] !== quote) throw new NotJson()
    const keyEnd = complete(endOfString(source, at + 1))
    const key = JSON.parse(source.toString('utf8', at, keyEnd + 1)) as string
    at = expect(source, skipSpace(source, keyEnd + 1), colon)
    const end = read(key, at)
    if (end === paused) return
    at = skipSpace(source, end)
  }
}

/** Writes one row, an array of values. */
export function rewriteRow(source: Buffer, from: number, rewriters: Rewriter[], rows: RowBatcher): number {
  let at = expect(source, from, openBracket)
  rows.begin()
  for (let index = 0; index < rewriters.length; index++) {
    if (index > 0) {
      at = expect(source, at, comma)
      rows.separate()
    }
    at = skipSpace(source, complete(rewriters[index]!(rows.out, source, at)))
  }
  at = expect(source, at, closeBracket)
  rows.end()
  return at
}

/** The position after the byte and the white space that follows it. */
function expect(source: Buffer, at: number, byte: number): number {
  if (source[at] !== byte) throw new NotJson()
  return skipSpace(source, at + 1)
}

function complete(position: number): number {
  if (position === incomplete) throw new NotJson()
  return position
}

/** The position after the value that begins at `start`. */
export function endOfValue(source: Buffer, start: number): number {
  let depth = 0
  let at = start
  do {
    const byte = source[at]
    if (byte === quote) at = complete(endOfString(source, at + 1)) + 1
    else if (byte === openBrace || byte === openBracket) {
      depth++
      at++
    } else if (byte === closeBrace || byte === closeBracket) {
      depth--
      at++
    } else if (byte === comma || byte === colon) at++
    else at = complete(endOfToken(source, at))
    if (depth > 0) at = skipSpace(source, at)
  } while (depth > 0)
  return at
}
