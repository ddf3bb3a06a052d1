import { reserve, writeAscii, type JsonBytes } from '../../json-bytes.ts'
import { powersOfTen, putDigits } from './put-digits.ts'
import { writeShortestDouble } from './shortest-double.ts'

/** The maximum bytes of an integer up to 2^53, with sign, quotes and decimal point. */
const longestNumber = 24
const zero = 0x30
const minus = 0x2d
const quote = 0x22
const point = 0x2e

function digitCount(value: number): number {
  if (value < 100) return value < 10 ? 1 : 2
  if (value < 10_000) return value < 1000 ? 3 : 4
  if (value < 1_000_000) return value < 100_000 ? 5 : 6
  if (value < 100_000_000) return value < 10_000_000 ? 7 : 8
  return value < 1_000_000_000 ? 9 : 10
}

const billion = 1_000_000_000

/** A whole number from 0 to 2^53. */
function putUnsigned(bytes: Uint8Array, at: number, value: number): number {
  if (value < billion) return putDigits(bytes, at, value, digitCount(value))
  const upper = Math.floor(value / billion)
  return putDigits(bytes, putUnsigned(bytes, at, upper), value - upper * billion, 9)
}

/** The last `count` digits of `value` (0 to 2^53), padded with zeros. */
function putPadded(bytes: Uint8Array, at: number, value: number, count: number): number {
  while (count > 16) {
    bytes[at++] = zero
    count--
  }
  if (count > 9) {
    const upper = Math.floor(value / billion)
    return putDigits(bytes, putDigits(bytes, at, upper, count - 9), value - upper * billion, 9)
  }
  return putDigits(bytes, at, value, count)
}

/** A whole number within ±(2^53-1), as a JSON number. */
export function writeInteger(out: JsonBytes, value: number): void {
  reserve(out, longestNumber)
  let at = out.length
  if (value < 0) {
    out.bytes[at++] = minus
    value = -value
  }
  out.length = putUnsigned(out.bytes, at, value)
}

/** Any whole number: a JSON number where JavaScript can hold it exactly, else a string. */
export function writeBigInteger(out: JsonBytes, value: bigint): void {
  const number = Number(value)
  if (Number.isSafeInteger(number)) writeInteger(out, number)
  else writeAscii(out, `"${value}"`)
}

/** `unscaled` (within ±2^53) × 10^-scale, exact, as a JSON string. */
export function writeDecimal(out: JsonBytes, unscaled: number, scale: number): void {
  reserve(out, longestNumber + scale)
  const { bytes } = out
  let at = out.length
  bytes[at++] = quote
  if (unscaled < 0) {
    bytes[at++] = minus
    unscaled = -unscaled
  }
  if (scale === 0) {
    at = putUnsigned(bytes, at, unscaled)
  } else if (scale > 15) {
    // 2^53 has sixteen digits, so nothing is left before the point.
    bytes[at++] = zero
    bytes[at++] = point
    at = putPadded(bytes, at, unscaled, scale)
  } else {
    const power = powersOfTen[scale]!
    let whole = Math.floor(unscaled / power)
    let fraction = unscaled - whole * power
    if (fraction < 0) {
      // The quotient was rounded up to the next whole number.
      whole -= 1
      fraction += power
    }
    at = putUnsigned(bytes, at, whole)
    bytes[at++] = point
    at = putPadded(bytes, at, fraction, scale)
  }
  bytes[at++] = quote
  out.length = at
}

export function writeBigDecimal(out: JsonBytes, unscaled: bigint, scale: number): void {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const sign = unscaled < 0n ? '-' : ''
  writeAscii(out, scale === 0 ? `"${sign}${whole}"` : `"${sign}${whole}.${digits.slice(digits.length - scale)}"`)
}

export function writeDouble(out: JsonBytes, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) writeInteger(out, value)
  else if (writeMillionths(out, value) || writeShortestDouble(out, value)) return
  else if (Number.isFinite(value)) writeAscii(out, Object.is(value, -0) ? '-0' : String(value))
  else writeAscii(out, `"${value}"`)
}

const million = 1_000_000
/** Doubles tell all decimals of up to 15 digits apart, so a decimal below this is the shortest one that reads back as its double. */
const millionthsLimit = 1e15

/** Writes a fraction of up to six decimals, as most are, in half the time of `String`. False if it is another one. */
function writeMillionths(out: JsonBytes, value: number): boolean {
  const magnitude = Math.abs(value)
  const millionths = Math.round(magnitude * million)
  if (millionths / million !== magnitude || millionths === 0 || millionths >= millionthsLimit) return false
  reserve(out, longestNumber)
  const { bytes } = out
  let at = out.length
  if (value < 0) bytes[at++] = minus
  const whole = Math.floor(millionths / million)
  at = putUnsigned(bytes, at, whole)
  bytes[at++] = point
  at = putDigits(bytes, at, millionths - whole * million, 6)
  while (bytes[at - 1] === zero) at--
  out.length = at
  return true
}

/** Below this, a 32-bit value has fewer than six significant digits. */
const smallestNormalFloat = 2 ** -126

/** The shortest digits that read back as the same 32-bit value: 0.1, not 0.10000000149011612. */
export function writeFloat(out: JsonBytes, value: number): void {
  if (Number.isFinite(value) && !Number.isInteger(value)) {
    for (let precision = Math.abs(value) < smallestNormalFloat ? 1 : 6; precision <= 9; precision++) {
      const shorter = Number(value.toPrecision(precision))
      if (Math.fround(shorter) === value) return writeDouble(out, shorter)
    }
  }
  writeDouble(out, value)
}
