/**
 * The text of a result, `{"fields":[…],"rows":[[…],[…],…],"rowCount":n}`, with the places of its rows. What precedes the first row is
 * its *head*, what follows the last its *tail*. Between two rows there is exactly one comma, so a document can be put together from its
 * head, rows and tail.
 */
export interface RowDocument {
  bytes: Buffer
  /** Where each row begins in `bytes`. */
  starts: Uint32Array
  /** Where each row ends in `bytes`. */
  ends: Uint32Array
}

export const headOf = ({ bytes, starts }: RowDocument): Buffer => bytes.subarray(0, starts[0])
export const tailOf = ({ bytes, ends }: RowDocument): Buffer => bytes.subarray(ends.at(-1))

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Nesting depths: 1 is the document, 2 are `fields` and later `rows`, 3 is a row. */
const [listDepth, rowDepth] = [2, 3]

const bytesPerStep = 1024 * 1024

/**
 * Finds the rows of a document. Undefined if there are none, or if something other than one comma separates them: such a document is
 * stored as it is. A generator, because the event loop needs its turn while a large document is read; see `inTurns`.
 */
export function* findRows(bytes: Buffer): Generator<void, RowDocument | undefined> {
  let starts = new Uint32Array(1024)
  let ends = new Uint32Array(1024)
  let rowCount = 0
  let depth = 0
  let listsPassed = 0
  for (let at = 0; at < bytes.length && listsPassed < 2; at++) {
    if (at % bytesPerStep === 0) yield
    const byte = bytes[at]
    if (byte === quote) {
      at = endOfText(bytes, at)
    } else if (byte === openBracket || byte === openBrace) {
      depth++
      if (depth === rowDepth && listsPassed === 1) {
        if (rowCount > 0 && (ends[rowCount - 1] !== at - 1 || bytes[at - 1] !== comma)) return undefined
        if (rowCount === starts.length) [starts, ends] = [doubled(starts), doubled(ends)]
        starts[rowCount] = at
      }
    } else if (byte === closeBracket || byte === closeBrace) {
      if (depth === rowDepth && listsPassed === 1) ends[rowCount++] = at + 1
      if (depth === listDepth) listsPassed++
      depth--
    }
  }
  return rowCount === 0 ? undefined : { bytes, starts: starts.slice(0, rowCount), ends: ends.slice(0, rowCount) }
}

/** The position of the quote that closes the text which begins at `at`. */
function endOfText(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(quote, at + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === backslash) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return bytes.length
}

function doubled(numbers: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(numbers.length * 2)
  larger.set(numbers)
  return larger
}
