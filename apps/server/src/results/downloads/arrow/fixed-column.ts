import { type Data, type DataType, makeData } from 'apache-arrow'

/** Writes a non-NULL value into 32-bit words starting at `at`, least significant first. */
export type FixedWriter = (words: Int32Array, at: number, json: string) => void

/** A column whose values all take the same number of words. */
export function fixedColumn(type: DataType, options: { wordsPerValue: number; write: FixedWriter }) {
  const { wordsPerValue, write } = options
  const firstWords = 1024 * wordsPerValue
  const valid = makeBits()
  let words = new Int32Array(firstWords)
  let at = 0
  return {
    append(json: string): void {
      const isNull = json === 'null'
      valid.push(!isNull)
      if (at === words.length) {
        const grown = new Int32Array(words.length * 2)
        grown.set(words)
        words = grown
      }
      if (!isNull) write(words, at, json)
      at += wordsPerValue
    },
    take(): Data {
      const { bytes: nullBitmap, length, zeros: nullCount } = valid.take()
      const data = new type.ArrayType(words.buffer, 0, (at * 4) / type.ArrayType.BYTES_PER_ELEMENT) as Int32Array
      words = new Int32Array(firstWords)
      at = 0
      return makeData({ type, length, nullCount, nullBitmap, data } as Parameters<typeof makeData>[0])
    },
  }
}

const wordSize = 2 ** 32

/** Writes a safe integer in two's complement. */
export function putInteger(words: Int32Array, at: number, value: number, count: number): void {
  words[at] = value
  words[at + 1] = Math.floor(value / wordSize)
  const sign = value < 0 ? -1 : 0
  for (let index = 2; index < count; index++) words[at + index] = sign
}

export function putBigInteger(words: Int32Array, at: number, value: bigint, count: number): void {
  for (let index = 0; index < count; index++) words[at + index] = Number(BigInt.asIntN(32, value >> BigInt(32 * index)))
}

/** A bitmap in Arrow's bit order: least significant bit first. */
export function makeBits() {
  let bytes = new Uint8Array(128)
  let length = 0
  let zeros = 0
  return {
    push(isSet: boolean): void {
      const index = length >> 3
      if (index === bytes.length) {
        const grown = new Uint8Array(bytes.length * 2)
        grown.set(bytes)
        bytes = grown
      }
      if (isSet) bytes[index]! |= 1 << (length & 7)
      else zeros++
      length++
    },
    take() {
      const taken = { bytes: bytes.subarray(0, (length + 7) >> 3), length, zeros }
      bytes = new Uint8Array(128)
      length = 0
      zeros = 0
      return taken
    },
  }
}
