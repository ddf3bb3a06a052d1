import { reserve, writeAscii, writeJsonString, type JsonBytes } from '../json-bytes.ts'
import type { ValueWriter } from './value-writer.ts'

const quote = 0x22
const minus = 0x2d
const zero = 0x30
const nine = 0x39

/** 2^53-1: JavaScript would round larger integers. */
const largestSafe = Buffer.from('9007199254740991')

const isDigit = (byte: number | undefined) => byte !== undefined && byte >= zero && byte <= nine

function put(out: JsonBytes, source: Uint8Array, start: number, end: number): void {
  const { bytes } = out
  let at = out.length
  for (let index = start; index < end; index++) bytes[at++] = source[index]!
  out.length = at
}

function isSafe(source: Uint8Array, digitsStart: number, end: number): boolean {
  const count = end - digitsStart
  if (count !== largestSafe.length) return count < largestSafe.length
  for (let index = 0; index < count; index++) {
    const difference = source[digitsStart + index]! - largestSafe[index]!
    if (difference !== 0) return difference < 0
  }
  return true
}

/**
 * A JSON number where JavaScript can hold it exactly, else a string. Leading zeros, which some databases pad with, are
 * dropped.
 */
export const integerText: ValueWriter = (out, source, start, end) => {
  const isNegative = source[start] === minus
  let digits = isNegative ? start + 1 : start
  for (let index = digits; index < end; index++) {
    if (!isDigit(source[index])) return writeJsonString(out, source, start, end)
  }
  if (digits === end) return writeJsonString(out, source, start, end)
  while (digits < end - 1 && source[digits] === zero) digits++
  const isNumber = isSafe(source, digits, end)
  reserve(out, end - digits + 3)
  if (!isNumber) out.bytes[out.length++] = quote
  if (isNegative) out.bytes[out.length++] = minus
  put(out, source, digits, end)
  if (!isNumber) out.bytes[out.length++] = quote
}

/** As a string, so that every digit is preserved. */
export const decimalText: ValueWriter = writeJsonString

/**
 * A floating-point number. Values that JSON cannot represent are written as JavaScript spells them: "NaN", "Infinity",
 * "-Infinity".
 */
export const numberText: ValueWriter = (out, source, start, end) => {
  const isNegative = source[start] === minus
  const digits = isNegative ? start + 1 : start
  if (isJsonNumber(source, digits, end)) {
    reserve(out, end - start)
    return put(out, source, start, end)
  }
  const letter = source[digits]! | 0x20
  if (letter === 0x6e) return writeAscii(out, '"NaN"')
  if (letter === 0x69) return writeAscii(out, isNegative ? '"-Infinity"' : '"Infinity"')
  return writeJsonString(out, source, start, end)
}

/** `12`, `1.5`, `1e+20`, `1.5E-7`: without its sign. */
function isJsonNumber(source: Uint8Array, start: number, end: number): boolean {
  let at = start
  const digits = () => {
    const first = at
    while (at < end && isDigit(source[at])) at++
    return at > first
  }
  if (!digits() || (source[start] === zero && at > start + 1)) return false
  if (at < end && source[at] === 0x2e) {
    at++
    if (!digits()) return false
  }
  if (at < end && (source[at]! | 0x20) === 0x65) {
    at++
    if (at < end && (source[at] === 0x2b || source[at] === minus)) at++
    if (!digits()) return false
  }
  return at === end
}
