/**
 * The values of one column in Arrow's memory layout, collected until a batch is taken. They are written directly from JSON
 * text. Arrow's own builders, which take JavaScript values, were two to three times as slow for a million rows.
 */
import { type Data, type DataType, makeData } from 'apache-arrow'
import type { NeededType } from '../column-shapes.ts'
import { unquoted } from '../download-values.ts'
import { fixedColumn, type FixedWriter, makeBits, putBigInteger, putInteger } from './fixed-column.ts'
import { daysOf, nanosecondsOf, putMicroseconds } from './arrow-times.ts'

export interface ArrowColumn {
  /** `json` is the value's text, `null` for NULL. */
  append(json: string): void
  /** All values appended since the last call. */
  take(): Data
}

export function makeColumn(needed: NeededType, type: DataType): ArrowColumn {
  switch (needed.kind) {
    case 'boolean':
      return booleanColumn(type)
    case 'text':
      return textColumn(type, textOf)
    case 'json':
      return textColumn(type, jsonOf)
    case 'double':
      return fixedColumn(type, { wordsPerValue: 2, write: writeDouble })
    case 'int64':
    case 'uint64':
      return fixedColumn(type, { wordsPerValue: 2, write: writeInteger })
    case 'decimal':
      return fixedColumn(type, { wordsPerValue: 4, write: decimalWriter(needed.scale) })
    case 'date':
      return fixedColumn(type, { wordsPerValue: 1, write: writeDays })
    case 'timestamp':
      return fixedColumn(type, { wordsPerValue: 2, write: needed.unit === 'us' ? writeMicroseconds : writeNanoseconds })
  }
}

const textOf = (json: string) => (json.startsWith('"') ? unquoted(json) : json)

/** The JSON value `null` counts as NULL. */
const jsonOf = (json: string) => (json.trim() === 'null' ? null : json.trim())

const double = new Float64Array(1)
const doubleWords = new Int32Array(double.buffer)

/** NaN and the infinities arrive as strings, because JSON has no numbers for them. */
const writeDouble: FixedWriter = (words, at, json) => {
  double[0] = Number(textOf(json))
  words[at] = doubleWords[0]!
  words[at + 1] = doubleWords[1]!
}

/** Integers too large for JavaScript numbers arrive as strings. */
const writeInteger: FixedWriter = (words, at, json) =>
  json.startsWith('"') ? putBigInteger(words, at, BigInt(unquoted(json)), 2) : putInteger(words, at, Number(json), 2)

const writeDays: FixedWriter = (words, at, json) => void (words[at] = daysOf(unquoted(json)))

const writeMicroseconds: FixedWriter = (words, at, json) => putMicroseconds(words, at, unquoted(json))

const writeNanoseconds: FixedWriter = (words, at, json) => putBigInteger(words, at, nanosecondsOf(unquoted(json)), 2)

/** The number of digits that a JavaScript number always represents exactly. */
const safeDigits = 15

function decimalWriter(scale: number): FixedWriter {
  return (words, at, json) => {
    const text = textOf(json)
    const point = text.indexOf('.')
    const fraction = point < 0 ? '' : text.slice(point + 1)
    const digits = (point < 0 ? text : text.slice(0, point)) + fraction.padEnd(scale, '0')
    if (digits.length <= safeDigits) putInteger(words, at, Number(digits), 4)
    else putBigInteger(words, at, BigInt(digits), 4)
  }
}

function booleanColumn(type: DataType): ArrowColumn {
  const valid = makeBits()
  const bits = makeBits()
  return {
    append(json) {
      valid.push(json !== 'null')
      bits.push(json === 'true')
    },
    take() {
      const { bytes: nullBitmap, length, zeros: nullCount } = valid.take()
      const data = bits.take().bytes
      return makeData({ type, length, nullCount, nullBitmap, data } as Parameters<typeof makeData>[0])
    },
  }
}

function textColumn(type: DataType, contentOf: (json: string) => string | null): ArrowColumn {
  const valid = makeBits()
  let offsets = new Int32Array(1025)
  let bytes = Buffer.alloc(0)
  let sizeBytes = 0
  let count = 0
  function makeRoom(moreBytes: number) {
    const needed = sizeBytes + moreBytes
    if (needed <= bytes.length) return
    bytes = Buffer.concat([bytes.subarray(0, sizeBytes)], Math.max(needed, bytes.length * 2))
  }
  return {
    append(json) {
      const text = json === 'null' ? null : contentOf(json)
      valid.push(text !== null)
      if (text !== null) {
        // A UTF-16 code unit takes at most three bytes. The exact size is only computed when that bound does not fit.
        if (sizeBytes + text.length * 3 > bytes.length) makeRoom(Buffer.byteLength(text))
        sizeBytes += bytes.write(text, sizeBytes)
      }
      if (++count === offsets.length) {
        const grown = new Int32Array(offsets.length * 2)
        grown.set(offsets)
        offsets = grown
      }
      offsets[count] = sizeBytes
    },
    take() {
      const { bytes: nullBitmap, length, zeros: nullCount } = valid.take()
      const valueOffsets = offsets.subarray(0, count + 1)
      const data = bytes.subarray(0, sizeBytes)
      offsets = new Int32Array(1025)
      bytes = Buffer.alloc(0)
      sizeBytes = 0
      count = 0
      return makeData({ type, length, nullCount, nullBitmap, valueOffsets, data } as Parameters<typeof makeData>[0])
    },
  }
}
