import { differenceVersion } from './encode-difference.ts'
import { atOnce } from './in-turns.ts'
import { ArchiveDamaged, makeNumberReader, signed } from './number-bytes.ts'
import { headOf, type RowDocument, tailOf } from './row-document.ts'

/** A document put together from rows of several sources, without a copy of its bytes. */
export interface RestoredDocument {
  sizeBytes: number
  /** Pieces of about 256 KB. Can be called repeatedly. */
  pieces(): Generator<Buffer>
}

/**
 * Applies differences to a document, one after the other, each to the document that the one before it describes. No document in between
 * is put together: each is only a list of row numbers, and a difference splices the list of its base. Memory is needed for the first
 * document and the literals.
 */
export const applyDifferences = (document: RowDocument, differences: Buffer[]): RestoredDocument =>
  atOnce(applySteps(document, differences))

/** `applyDifferences` in steps; see `inTurns`. */
export function* applySteps(document: RowDocument, differences: Iterable<Buffer>): Generator<void, RestoredDocument> {
  const rows = makeRowTable(document)
  let head = headOf(document)
  let tail = tailOf(document)
  /** The number in `rows` of each row of the current document. */
  let current = Uint32Array.from(document.starts.keys())
  for (const difference of differences) {
    yield
    const reader = makeNumberReader(difference)
    if (reader.read() !== differenceVersion || reader.read() !== current.length) throw new ArchiveDamaged()
    const rowCount = checkedCount(reader.read())
    const headLength = reader.read()
    if (headLength > 0) head = reader.take(headLength - 1)
    tail = reader.take(reader.read())
    const runs = Array.from({ length: checkedCount(reader.read()) }, () => {
      const run = reader.read()
      return run % 2 === 1 ? { count: (run - 1) / 2, distance: signed(reader.read()) } : { count: run / 2 }
    })
    const literalCount = checkedCount(reader.read())
    const readAll = () => Array.from({ length: literalCount }, () => reader.read())
    const [beginnings, ends, lengths] = [readAll(), readAll(), readAll()]
    const next = new Uint32Array(rowCount)
    const literals = rows.beginLiterals(beginnings.reduce((sum, shared, index) => sum + shared + ends[index]! + lengths[index]! + 1, 0))
    let at = 0
    let expected = 0
    let literal = 0
    for (const run of runs) {
      if (run.count > rowCount - at) throw new ArchiveDamaged()
      if (run.distance !== undefined) {
        const first = expected + run.distance
        if (first < 0 || first + run.count > current.length) throw new ArchiveDamaged()
        next.set(current.subarray(first, first + run.count), at)
        expected = first + run.count
        at += run.count
        continue
      }
      for (let count = 0; count < run.count; count++, literal++, expected++) {
        if (literal >= literalCount) throw new ArchiveDamaged()
        const replaced = expected < current.length ? current[expected]! : undefined
        const middle = reader.take(lengths[literal]!)
        next[at++] = literals.add({ replaced, beginning: beginnings[literal]!, end: ends[literal]!, middle })
      }
    }
    if (at !== rowCount || literal !== literalCount || !reader.isAtEnd()) throw new ArchiveDamaged()
    current = next
  }
  return restored(rows, { head, tail, numbers: current })
}

/** A length that a typed array can have. Damaged bytes may claim any. */
function checkedCount(count: number): number {
  if (count > 2 ** 31) throw new ArchiveDamaged()
  return count
}

type RowTable = ReturnType<typeof makeRowTable>

/** Rows by number, from several buffers. In a buffer, one comma separates rows with consecutive numbers. */
function makeRowTable(document: RowDocument) {
  const sources = [{ ...document, firstNumber: 0 }]
  let nextNumber = document.starts.length

  /** The source of a row. The last one is mostly the right one or the first, so both are tried before all others. */
  let recent = sources[0]!
  function sourceOf(number: number) {
    const isIn = (source: typeof recent) => number >= source.firstNumber && number < source.firstNumber + source.starts.length
    if (isIn(recent)) return recent
    let [low, high] = [0, sources.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if (sources[middle]!.firstNumber <= number) low = middle
      else high = middle - 1
    }
    recent = sources[low]!
    return recent
  }

  return {
    sourceOf,
    /** Literals of one difference. `maxBytes`: their total size, with a comma after each. */
    beginLiterals(maxBytes: number) {
      if (maxBytes > maxLiteralBytes) throw new ArchiveDamaged()
      const bytes = Buffer.allocUnsafe(maxBytes)
      const starts: number[] = []
      const ends: number[] = []
      let length = 0
      const source = { bytes, starts: starts as ArrayLike<number>, ends: ends as ArrayLike<number>, firstNumber: nextNumber }
      sources.push(source as (typeof sources)[number])
      return {
        add(row: { replaced: number | undefined; beginning: number; end: number; middle: Buffer }): number {
          starts.push(length)
          if (row.beginning + row.end > 0) {
            if (row.replaced === undefined) throw new ArchiveDamaged()
            const from = sourceOf(row.replaced)
            const index = row.replaced - from.firstNumber
            const [start, end] = [from.starts[index]!, from.ends[index]!]
            if (row.beginning + row.end > end - start) throw new ArchiveDamaged()
            length += from.bytes.copy(bytes, length, start, start + row.beginning)
            length += row.middle.copy(bytes, length)
            length += from.bytes.copy(bytes, length, end - row.end, end)
          } else length += row.middle.copy(bytes, length)
          ends.push(length)
          bytes[length++] = comma
          return nextNumber++
        },
      }
    },
  }
}

const comma = 0x2c
const maxLiteralBytes = 2 ** 31
const pieceBytes = 256 * 1024

function restored(rows: RowTable, { head, tail, numbers }: { head: Buffer; tail: Buffer; numbers: Uint32Array }): RestoredDocument {
  /** Ranges of bytes: consecutive rows of one source, with the commas between them. */
  function* ranges(): Generator<Buffer> {
    for (let row = 0; row < numbers.length; ) {
      const source = rows.sourceOf(numbers[row]!)
      const first = numbers[row]! - source.firstNumber
      let last = first
      row++
      while (row < numbers.length && numbers[row] === source.firstNumber + last + 1 && last + 1 < source.starts.length) [row, last] = [row + 1, last + 1]
      yield source.bytes.subarray(source.starts[first], source.ends[last])
    }
  }

  function* pieces(): Generator<Buffer> {
    let piece = Buffer.allocUnsafe(pieceBytes)
    let length = 0
    function* put(bytes: Buffer): Generator<Buffer> {
      for (let at = 0; at < bytes.length; ) {
        if (length === pieceBytes) {
          yield piece
          piece = Buffer.allocUnsafe(pieceBytes)
          length = 0
        }
        const copied = bytes.copy(piece, length, at)
        at += copied
        length += copied
      }
    }
    yield* put(head)
    let isFirst = true
    for (const range of ranges()) {
      if (!isFirst) yield* put(separator)
      isFirst = false
      yield* put(range)
    }
    yield* put(tail)
    yield piece.subarray(0, length)
  }

  let sizeBytes = head.length + tail.length
  let rangeCount = 0
  for (const range of ranges()) {
    sizeBytes += range.length
    rangeCount++
  }
  return { sizeBytes: sizeBytes + Math.max(0, rangeCount - 1), pieces }
}

const separator = Buffer.from(',')
