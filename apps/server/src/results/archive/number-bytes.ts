/** Writes non-negative integers in as few bytes as they need: seven bits in each, the lowest first. */
export interface NumberWriter {
  write(number: number): void
  bytes(): Buffer
}

export function makeNumberWriter(): NumberWriter {
  let buffer = Buffer.allocUnsafe(1024)
  let length = 0
  return {
    write(number) {
      if (length + maxBytes > buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2)
      let rest = number
      while (rest >= 128) {
        buffer[length++] = (rest % 128) + 128
        rest = Math.floor(rest / 128)
      }
      buffer[length++] = rest
    },
    bytes: () => buffer.subarray(0, length),
  }
}

/** Enough for every safe integer. */
const maxBytes = 8

/** Reads what a `NumberWriter` and plain copies of bytes have written. Throws `ArchiveDamaged` beyond the end. */
export interface NumberReader {
  read(): number
  take(length: number): Buffer
  isAtEnd(): boolean
}

export function makeNumberReader(bytes: Buffer): NumberReader {
  let at = 0
  return {
    read() {
      let number = 0
      let unit = 1
      for (let count = 0; count < maxBytes && at < bytes.length; count++) {
        const byte = bytes[at++]!
        number += (byte % 128) * unit
        if (byte < 128) return number
        unit *= 128
      }
      throw new ArchiveDamaged()
    },
    take(length) {
      if (length > bytes.length - at) throw new ArchiveDamaged()
      at += length
      return bytes.subarray(at - length, at)
    },
    isAtEnd: () => at === bytes.length,
  }
}

/** Integers of either sign as non-negative ones: 0, -1, 1, -2, 2 become 0, 1, 2, 3, 4. */
export const unsigned = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number)
export const signed = (number: number): number => (number % 2 === 1 ? -(number + 1) / 2 : number / 2)

/** Stored bytes are not what was written. Reading fails, because rows that nobody can vouch for must not be shown. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged'
  constructor() {
    super('The kept result is damaged: its stored bytes have changed since they were written.')
  }
}
