import { reserve, writeAscii, type JsonBytes } from '../../json-bytes.ts'
import { putDigits } from './put-digits.ts'

const quote = 0x22
const dash = 0x2d
const colon = 0x3a
const point = 0x2e

/** More bytes than any date or timestamp takes. */
const longestTime = 48

/** The date written last, with its length. Adjacent rows often have the same. */
const lastDate = { days: NaN, bytes: new Uint8Array(longestTime), length: 0 }

/** Writes the date of a count of days since 1970-01-01; see `formatDate`. */
function putDate(bytes: Uint8Array, at: number, days: number): number {
  if (days !== lastDate.days) {
    lastDate.length = formatDate(lastDate.bytes, 0, days)
    lastDate.days = days
  }
  const { bytes: date, length } = lastDate
  for (let index = 0; index < length; index++) bytes[at + index] = date[index]!
  return at + length
}

/**
 * A count of days since 1970-01-01 as `YYYY-MM-DD`, in the proleptic Gregorian calendar. Years outside 0000–9999 get a
 * sign and at least six digits, as ISO 8601 asks (year 0000 is 1 BC).
 * Years are counted from March, so that the leap day is a year's last.
 */
function formatDate(bytes: Uint8Array, at: number, days: number): number {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra =
    ((dayOfEra - ((dayOfEra / 1460) | 0) + ((dayOfEra / 36_524) | 0) - ((dayOfEra / 146_096) | 0)) / 365) | 0
  const dayOfYear = dayOfEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))
  const marchMonth = ((5 * dayOfYear + 2) / 153) | 0
  const day = dayOfYear - (((153 * marchMonth + 2) / 5) | 0) + 1
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  if (year >= 0 && year <= 9999) {
    at = putDigits(bytes, at, year, 4)
  } else {
    bytes[at++] = year < 0 ? dash : 0x2b
    const size = Math.abs(year)
    at = putDigits(bytes, at, size, size > 999_999 ? 7 : 6)
  }
  bytes[at++] = dash
  at = putDigits(bytes, at, month, 2)
  bytes[at++] = dash
  return putDigits(bytes, at, day, 2)
}

function putClock(bytes: Uint8Array, at: number, seconds: number): number {
  const hours = (seconds / 3600) | 0
  const minutes = ((seconds - hours * 3600) / 60) | 0
  at = putDigits(bytes, at, hours, 2)
  bytes[at++] = colon
  at = putDigits(bytes, at, minutes, 2)
  bytes[at++] = colon
  return putDigits(bytes, at, seconds - hours * 3600 - minutes * 60, 2)
}

export function writeDate(out: JsonBytes, days: number): void {
  reserve(out, longestTime)
  let at = out.length
  out.bytes[at++] = quote
  at = putDate(out.bytes, at, days)
  out.bytes[at++] = quote
  out.length = at
}

/** `nanos` are the nanoseconds within the microsecond: 0 for every type but TIMESTAMP_NS. */
export function writeTimestamp(out: JsonBytes, days: number, microsOfDay: number, nanos: number): void {
  reserve(out, longestTime)
  const { bytes } = out
  let at = out.length
  bytes[at++] = quote
  at = putDate(bytes, at, days)
  bytes[at++] = 0x54
  const seconds = Math.floor(microsOfDay / 1_000_000)
  at = putClock(bytes, at, seconds)
  const micros = microsOfDay - seconds * 1_000_000
  const millis = (micros / 1000) | 0
  bytes[at++] = point
  at = putDigits(bytes, at, millis, 3)
  if (micros !== millis * 1000 || nanos > 0) at = putDigits(bytes, at, micros - millis * 1000, 3)
  if (nanos > 0) at = putDigits(bytes, at, nanos, 3)
  bytes[at++] = 0x5a
  bytes[at++] = quote
  out.length = at
}

/** `HH:MM:SS` with as many fractional digits as needed, as DuckDB writes a TIME. */
export function writeTime(out: JsonBytes, micros: number): void {
  reserve(out, longestTime)
  const { bytes } = out
  let at = out.length
  bytes[at++] = quote
  const seconds = Math.floor(micros / 1_000_000)
  at = putClock(bytes, at, seconds)
  const fraction = micros - seconds * 1_000_000
  if (fraction > 0) {
    bytes[at++] = point
    at = putDigits(bytes, at, fraction, 6)
    while (bytes[at - 1] === 0x30) at--
  }
  bytes[at++] = quote
  out.length = at
}

export function writeInfinity(out: JsonBytes, isNegative: boolean): void {
  writeAscii(out, isNegative ? '"-infinity"' : '"infinity"')
}
