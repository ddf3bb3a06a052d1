import { makeNumberWriter, unsigned } from './number-bytes.ts'
import { headOf, type RowDocument, tailOf } from './row-document.ts'
import { atOnce } from './in-turns.ts'
import { findSameRows } from './same-rows.ts'

/**
 * A *difference* describes a document by an earlier one, its *base*, row by row:
 *
 * - a *copy* repeats a range of rows of the base;
 * - a *literal* is a row that the base does not have. Mostly it replaces a row of the base in a few cells, so it is written as what
 *   differs from that row: the lengths of the beginning and the end they share, and the bytes between.
 *
 * Both go through the base in parallel: the *expected* row of the base is the one after the last that was copied or replaced. Copies say
 * where they begin relative to it, so a difference takes little space wherever rows were inserted, removed, changed or moved.
 *
 * The layout, before compression: version, rows of the base, rows of the document, head (0, or its length + 1, then its bytes; 0: as in
 * the base), tail (length, bytes), number of runs, the runs, number of literals, then for all literals the shared beginnings, the shared
 * ends, the lengths of the bytes between, and these bytes. A run is `2 × rows` for literals, or `2 × rows + 1` and the distance of its
 * beginning from the expected row for a copy.
 */
export const differenceVersion = 1

const rowsPerStep = 8192

export const encodeDifference = (base: RowDocument, next: RowDocument): Buffer => atOnce(differenceSteps(base, next))

/** `encodeDifference` in steps; see `inTurns`. */
export function* differenceSteps(base: RowDocument, next: RowDocument): Generator<void, Buffer> {
  const baseRowOf = yield* findSameRows(base, next)
  const baseCount = base.starts.length
  const rowCount = next.starts.length
  const runs = makeNumberWriter()
  const [beginnings, ends, lengths] = [makeNumberWriter(), makeNumberWriter(), makeNumberWriter()]
  const middles: Buffer[] = []
  let runCount = 0
  let expected = 0
  for (let row = 0; row < rowCount; ) {
    if (runCount % rowsPerStep === 0) yield
    const first = row
    const copied = baseRowOf[row]!
    if (copied >= 0) {
      while (row < rowCount && baseRowOf[row] === copied + row - first) row++
      runs.write(2 * (row - first) + 1)
      runs.write(unsigned(copied - expected))
      expected = copied + row - first
    } else {
      for (; row < rowCount && baseRowOf[row]! < 0; row++) {
        const written = next.bytes.subarray(next.starts[row], next.ends[row])
        const replaced = expected < baseCount ? base.bytes.subarray(base.starts[expected], base.ends[expected]) : nothing
        const beginning = sharedBeginning(replaced, written)
        const end = sharedEnd(replaced, written, beginning)
        beginnings.write(beginning)
        ends.write(end)
        lengths.write(written.length - beginning - end)
        middles.push(written.subarray(beginning, written.length - end))
        expected++
      }
      runs.write(2 * (row - first))
    }
    runCount++
  }
  const isHeadShared = headOf(base).equals(headOf(next))
  return Buffer.concat([
    numbers(differenceVersion, baseCount, rowCount),
    isHeadShared ? numbers(0) : Buffer.concat([numbers(headOf(next).length + 1), headOf(next)]),
    numbers(tailOf(next).length),
    tailOf(next),
    numbers(runCount),
    runs.bytes(),
    numbers(middles.length),
    beginnings.bytes(),
    ends.bytes(),
    lengths.bytes(),
    ...middles,
  ])
}

const nothing = Buffer.alloc(0)

function sharedBeginning(one: Buffer, other: Buffer): number {
  const max = Math.min(one.length, other.length)
  let length = 0
  while (length < max && one[length] === other[length]) length++
  return length
}

/** The part that both share at their ends, without the beginning they share. */
function sharedEnd(one: Buffer, other: Buffer, beginning: number): number {
  const max = Math.min(one.length, other.length) - beginning
  let length = 0
  while (length < max && one[one.length - 1 - length] === other[other.length - 1 - length]) length++
  return length
}

function numbers(...values: number[]): Buffer {
  const writer = makeNumberWriter()
  for (const value of values) writer.write(value)
  return writer.bytes()
}
