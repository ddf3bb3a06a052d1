import type { RowDocument } from './row-document.ts'

const rowsPerStep = 8192

/**
 * For each row of `next`, the number of an equal row of `base`, or -1. Rows are found by their hash and compared byte by byte, so equal
 * hashes of different rows do no harm. If the base has several equal rows, the one that continues the last copy is chosen, else the next
 * in order, so that copies are long.
 */
export function* findSameRows(base: RowDocument, next: RowDocument): Generator<void, Int32Array> {
  const index = yield* indexRows(base)
  const rowCount = next.starts.length
  const baseRowOf = new Int32Array(rowCount).fill(-1)
  let expected = 0
  for (let row = 0; row < rowCount; row++) {
    if (row % rowsPerStep === 0) yield
    const found = areEqual(base, expected, next, row) ? expected : index.find(next, row, expected)
    baseRowOf[row] = found
    expected = found < 0 ? expected + 1 : found + 1
  }
  return baseRowOf
}

/** An open-addressing hash table of the rows of a document. Equal rows are linked in their order. */
function* indexRows(base: RowDocument) {
  const rowCount = base.starts.length
  const mask = 2 ** Math.ceil(Math.log2(rowCount * 2)) - 1
  /** The first of equal rows, + 1; 0 for an empty slot. */
  const slots = new Uint32Array(mask + 1)
  /** Of equal rows: the next one, + 1; 0 for the last. */
  const following = new Uint32Array(rowCount)
  // From the last to the first, so that each row is linked in front of the ones after it.
  for (let row = rowCount - 1; row >= 0; row--) {
    if (row % rowsPerStep === 0) yield
    const slot = slotOf(base, row)
    following[row] = slots[slot]!
    slots[slot] = row + 1
  }

  function slotOf(document: RowDocument, row: number): number {
    let slot = hashOf(document, row) & mask
    while (slots[slot] !== 0 && !areEqual(base, slots[slot]! - 1, document, row)) slot = (slot + 1) & mask
    return slot
  }

  return {
    /** The first equal row from `from` on, else the last one before it; -1 if there is none. */
    find(document: RowDocument, row: number, from: number): number {
      const slot = slotOf(document, row)
      let found = slots[slot]! - 1
      if (found < 0) return -1
      while (found < from && following[found] !== 0) found = following[found]! - 1
      // Rows that were passed are rarely needed again, and passing them again and again would take quadratic time.
      slots[slot] = found + 1
      return found
    },
  }
}

/** FNV-1a. */
function hashOf({ bytes, starts, ends }: RowDocument, row: number): number {
  let hash = 0x811c9dc5
  for (let at = starts[row]!; at < ends[row]!; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193)
  // Spreads the high bits, because the table uses the low ones.
  return (hash ^ (hash >>> 15)) >>> 0
}

function areEqual(one: RowDocument, row: number, other: RowDocument, otherRow: number): boolean {
  if (row >= one.starts.length) return false
  const [start, end] = [one.starts[row]!, one.ends[row]!]
  const [otherStart, otherEnd] = [other.starts[otherRow]!, other.ends[otherRow]!]
  if (end - start !== otherEnd - otherStart) return false
  // Most different rows differ early; comparing in JavaScript is faster than a call for short rows.
  if (end - start > 256) return one.bytes.compare(other.bytes, otherStart, otherEnd, start, end) === 0
  for (let at = start, otherAt = otherStart; at < end; at++, otherAt++) if (one.bytes[at] !== other.bytes[otherAt]) return false
  return true
}
