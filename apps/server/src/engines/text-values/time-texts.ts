/**
 * Converts dates and timestamps from the common text format `YYYY-MM-DD hh:mm:ss[.ffffff]`. Years outside 0000–9999 get a
 * sign and at least six digits, as ISO 8601 requires: `10000-01-01` is `+010000-01-01`, and 44 BC, PostgreSQL's
 * `0044-03-15 BC`, is the year -43. PostgreSQL's `infinity` is kept.
 */
import { reserve, writeJsonString, writeJsonText, type JsonBytes } from '../json-bytes.ts'
import { textOf, type ValueWriter } from './value-writer.ts'

const quote = 0x22
const space = 0x20
const dash = 0x2d
const point = 0x2e
const zero = 0x30
const nine = 0x39
const colon = 0x3a

const dateBytes = 10
const secondsBytes = 19

/** `YYYY-MM-DD` with a four-digit year. */
function isPlainDate(source: Uint8Array, start: number, end: number): boolean {
  const first = source[start]!
  const hasDashes = source[start + 4] === dash && source[start + 7] === dash
  return end - start >= dateBytes && hasDashes && first >= zero && first <= nine
}

function isPlainTimestamp(source: Uint8Array, start: number, end: number): boolean {
  const last = source[end - 1]!
  const isLong =
    end - start === secondsBytes
    || (end - start > secondsBytes + 1 && source[start + secondsBytes] === point && last >= zero && last <= nine)
  return (
    isLong && isPlainDate(source, start, end) && source[start + dateBytes] === space
    && source[start + 13] === colon && source[start + 16] === colon
  )
}

export const dateText: ValueWriter = (out, source, start, end) => {
  if (end - start === dateBytes && isPlainDate(source, start, end)) return writeJsonString(out, source, start, end)
  const text = textOf(source, start, end)
  const parts = /^(\d{4,})(-\d\d-\d\d)( BC)?$/.exec(text)
  writeJsonText(out, parts ? isoYear(parts[1]!, parts[3] !== undefined) + parts[2]! : text)
}

/** A timestamp in UTC, without a time zone. */
export const timestampText: ValueWriter = (out, source, start, end) => {
  if (isPlainTimestamp(source, start, end)) putTimestamp(out, source, start, end)
  else writeJsonText(out, rareTimestamp(textOf(source, start, end)))
}

/** A timestamp with a time zone: `+00`, `+05:30`, `-00:25:21`. */
export const zonedTimestampText: ValueWriter = (out, source, start, end) => {
  const isUtc = source[end - 3] === 0x2b && source[end - 2] === zero && source[end - 1] === zero
  if (isUtc && isPlainTimestamp(source, start, end - 3)) putTimestamp(out, source, start, end - 3)
  else writeJsonText(out, rareTimestamp(textOf(source, start, end)))
}

/** The fraction gets as many groups of three digits as it needs, at least one. */
function putTimestamp(out: JsonBytes, source: Uint8Array, start: number, end: number): void {
  const fraction = start + secondsBytes + 1
  let last = end
  while (last > fraction && source[last - 1] === zero) last--
  const digits = Math.max(3, Math.ceil((last - fraction) / 3) * 3)
  reserve(out, secondsBytes + digits + 4)
  const { bytes } = out
  let at = out.length
  bytes[at++] = quote
  for (let index = start; index < start + secondsBytes; index++) bytes[at++] = source[index]!
  bytes[out.length + 1 + dateBytes] = 0x54
  bytes[at++] = point
  for (let index = fraction; index < fraction + digits; index++) bytes[at++] = index < last ? source[index]! : zero
  bytes[at++] = 0x5a
  bytes[at++] = quote
  out.length = at
}

/** Handles zones other than UTC, years of more than four digits, and years BC. Any other text is kept as it is. */
function rareTimestamp(text: string): string {
  const parts = /^(\d{4,})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d+))?([+-]\d\d(?::\d\d){0,2})?( BC)?$/.exec(text)
  if (!parts) return text
  const [, year, month, day, hour, minute, second, fraction = '', zone = '+00', era] = parts
  const trimmed = fraction.replace(/0+$/, '')
  const digits = Math.max(3, Math.ceil(trimmed.length / 3) * 3)
  const end = `.${trimmed.padEnd(digits, '0')}Z`
  const offsetMs = zoneMs(zone)
  if (offsetMs === 0) return `${isoYear(year!, era !== undefined)}-${month}-${day}T${hour}:${minute}:${second}${end}`
  const local = new Date(0)
  local.setUTCFullYear(era ? 1 - Number(year) : Number(year), Number(month) - 1, Number(day))
  local.setUTCHours(Number(hour), Number(minute), Number(second))
  const instant = new Date(local.getTime() - offsetMs)
  // JavaScript dates end in the year 275760.
  return Number.isNaN(instant.getTime()) ? text : instant.toISOString().replace('.000Z', end)
}

function zoneMs(zone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = zone.slice(1).split(':').map(Number)
  return (zone.startsWith('-') ? -1 : 1) * ((hours * 60 + minutes) * 60 + seconds) * 1000
}

function isoYear(digits: string, isBeforeChrist: boolean): string {
  const year = isBeforeChrist ? 1 - Number(digits) : Number(digits)
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0')
  return (year < 0 ? '-' : '+') + String(Math.abs(year)).padStart(6, '0')
}
