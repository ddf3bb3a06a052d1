import type { RowDocument } from './row-document.ts'
import { findSameRows } from './same-rows.ts'

/**
 * A *patch* makes one document from another: pieces of the earlier one, by their place in its bytes, and text. The pieces in their order
 * are the later document, byte for byte.
 */
export type PatchPiece = { copy: [offset: number, length: number] } | { text: string }

/** Longer texts are cut, so that no line gets too long. */
const textMaxBytes = 1024 * 1024

/** The pieces of a patch between documents in memory. Copies whole rows; see `inTurns` for why it is a generator. */
export function* patchSteps(from: RowDocument, to: RowDocument): Generator<void, PatchPiece[]> {
  const fromRowOf = yield* findSameRows(from, to)
  const pieces: PatchPiece[] = []
  let textFrom = 0
  const write = (end: number) => pieces.push(...textPieces(to.bytes.subarray(textFrom, end)))
  for (let row = 0; row < fromRowOf.length; ) {
    const first = row
    const copied = fromRowOf[row]!
    if (copied < 0) {
      row++
      continue
    }
    while (row < fromRowOf.length && fromRowOf[row] === copied + row - first) row++
    write(to.starts[first]!)
    const offset = from.starts[copied]!
    // Rows that follow each other are separated by one comma in both documents.
    pieces.push({ copy: [offset, from.ends[copied + row - first - 1]! - offset] })
    textFrom = to.ends[row - 1]!
  }
  write(to.bytes.length)
  return pieces
}

/** The pieces of a patch that repeats the whole document. */
export function textPieces(bytes: Buffer): PatchPiece[] {
  const pieces: PatchPiece[] = []
  for (let start = 0; start < bytes.length; ) {
    let end = Math.min(start + textMaxBytes, bytes.length)
    // Not between the bytes of a character.
    while (end < bytes.length && (bytes[end]! & 0xc0) === 0x80) end--
    pieces.push({ text: bytes.toString('utf8', start, end) })
    start = end
  }
  return pieces
}
