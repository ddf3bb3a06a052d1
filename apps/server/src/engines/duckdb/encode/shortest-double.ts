/**
 * Writes doubles with the shortest digits that read back as the same value, as `String` does, without making a string.
 *
 * A double between 10^-6 and 10^9 is multiplied by the power of ten that leaves 17 digits before the point. The product is exact as
 * the sum of two doubles, `high + low`. Every number closer to it than half the distance to the next double, the *margin*, reads back
 * as the same value. So the shortest digits are those of the first of these that lies within the margin:
 *
 * - the nearest multiple of 100: 15 digits, of which zeros at the end are dropped. There is at most one, because the margin is below 12;
 * - the nearest multiple of 10: 16 digits;
 * - the nearest whole number: 17 digits.
 *
 * Where a comparison is so close that rounding could decide it, nothing is written, and `String` has to decide.
 */
import { reserve, type JsonBytes } from '../../json-bytes.ts'
import { powersOfTen, putDigits } from './put-digits.ts'

const zero = 0x30
const minus = 0x2d
const point = 0x2e

const smallest = 1e-6
const limit = 1e9
/** Sign, a zero, point, five zeros after it, and 17 digits. */
const longest = 25

/** The powers by which a double with a first digit in front of the point, and any below, is compared: 1, 0.1, to 10^-6. */
const inversePowers = Array.from({ length: 7 }, (_, exponent) => Number(`1e-${exponent}`))

/** The 17 digits of the product are handled as nine and eight: whole numbers of 32 bits. */
const firstDigits = 9
const lastDigits = 8
const lastDigitsPower = 1e8

/** Larger than the error of `rest`, a sum below 2^28, and smaller than any margin. */
const doubt = 1e-6

const value64 = new Float64Array(1)
/** The halves of `value64`. The order of bytes decides which one has the exponent. */
const halves = new Uint32Array(value64.buffer)
value64[0] = 1
const [upper, lower] = halves[0] === 0 ? [1, 0] : [0, 1]
const fractionBitsOfUpper = 20

/** Half the distance from a double to the next one, by its exponent as it is stored: increased by 1023. A double has 53 significant bits. */
const halfDistances = Float64Array.from({ length: 1023 + 30 }, (_, stored) => 2 ** (stored - 1023 - 53))

/** Multiplying by this splits a double into two halves of 26 bits (Veltkamp). */
const splitter = 2 ** 27 + 1

/** `a × b − product`, exactly, for the rounded product (Dekker). */
function productError(a: number, b: number, product: number): number {
  const scaledA = splitter * a
  const highA = scaledA - (scaledA - a)
  const lowA = a - highA
  const scaledB = splitter * b
  const highB = scaledB - (scaledB - b)
  const lowB = b - highB
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB)
}

/** How many digits are before the point: up to 9, and for values below 0.1 minus the zeros after it. */
function digitsBeforePoint(value: number): number {
  let count = 0
  if (value >= 1) while (value >= powersOfTen[count]!) count++
  else while (value < inversePowers[1 - count]!) count--
  return count
}

/** The number with the most zeros at its end that is within the margin. -1 if that is in doubt. */
function nearestWithin(rest: number, margin: number): number {
  const hundreds = Math.floor(rest * 0.01 + 0.5) * 100
  const toHundreds = Math.abs(hundreds - rest)
  if (toHundreds < margin - doubt) return hundreds
  if (toHundreds < margin + doubt) return -1
  const tens = Math.floor(rest * 0.1 + 0.5) * 10
  const toTens = Math.abs(tens - rest)
  if (toTens < margin - doubt) return toTens > 5 - doubt ? -1 : tens
  if (toTens < margin + doubt) return -1
  const ones = Math.floor(rest + 0.5)
  const toOnes = Math.abs(ones - rest)
  return toOnes < margin - doubt && toOnes < 0.5 - doubt ? ones : -1
}

/** False if nothing was written, because the value is out of range or in doubt. */
export function writeShortestDouble(out: JsonBytes, value: number): boolean {
  const magnitude = Math.abs(value)
  if (!(magnitude >= smallest && magnitude < limit)) return false
  value64[0] = magnitude
  const half = halves[upper]!
  // A power of two is closer to the double before it than to the next one.
  if (halves[lower] === 0 && (half & 0xf_ffff) === 0) return false
  const wholeDigits = digitsBeforePoint(magnitude)
  const power = powersOfTen[firstDigits + lastDigits - wholeDigits]!
  const high = magnitude * power
  const low = productError(magnitude, power, high)
  const first = Math.floor(high / lastDigitsPower)
  const rest = high - first * lastDigitsPower + low
  const last = nearestWithin(rest, halfDistances[half >>> fractionBitsOfUpper]! * power)
  if (last < 0 || last >= lastDigitsPower) return false
  putPositional(out, { isNegative: value < 0, first, last, wholeDigits })
  return true
}

function putPositional(
  out: JsonBytes,
  { isNegative, first, last, wholeDigits }: { isNegative: boolean; first: number; last: number; wholeDigits: number },
): void {
  reserve(out, longest)
  const { bytes } = out
  let at = out.length
  if (isNegative) bytes[at++] = minus
  if (wholeDigits > 0) {
    const fractionPower = powersOfTen[firstDigits - wholeDigits]!
    const whole = Math.floor(first / fractionPower)
    at = putDigits(bytes, at, whole, wholeDigits)
    bytes[at++] = point
    at = putDigits(bytes, at, first - whole * fractionPower, firstDigits - wholeDigits)
  } else {
    bytes[at++] = zero
    bytes[at++] = point
    for (let zeros = wholeDigits; zeros < 0; zeros++) bytes[at++] = zero
    at = putDigits(bytes, at, first, firstDigits)
  }
  at = putDigits(bytes, at, last, lastDigits)
  while (bytes[at - 1] === zero) at--
  if (bytes[at - 1] === point) at--
  out.length = at
}
