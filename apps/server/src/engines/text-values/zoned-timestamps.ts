import { timestampText } from './time-texts.ts'
import { textOf, type ValueWriter } from './value-writer.ts'
import { utcOf } from './time-zone.ts'

const letterT = 0x54
const letterZ = 0x5a
const space = 0x20
const dateBytes = 10
const hourBytes = 13
const secondsBytes = 19

/** The longest timestamp has nine fractional digits: `2026-01-05T09:00:00.123456789Z`. */
const scratch = Buffer.alloc(32)

/** With `date_time_output_format` `iso`, whatever the column's zone: `2026-01-05T09:00:00Z`. */
export const isoTimestamp: ValueWriter = (out, source, start, end) => {
  const size = end - start - 1
  const isIso = source[end - 1] === letterZ && source[start + dateBytes] === letterT
  if (!isIso || size < secondsBytes || size > scratch.length) return timestampText(out, source, start, end)
  for (let index = 0; index < size; index++) scratch[index] = source[start + index]!
  scratch[dateBytes] = space
  timestampText(out, scratch, 0, size)
}

/** The number of hours whose offset is cached: more than most results span. */
const cachedHours = 10_000

/**
 * For servers that only write local time, and users who may not change settings. In the hour that the clocks repeat, the
 * text is ambiguous; the first occurrence is used.
 */
export function localTimestamp(zone: string): ValueWriter {
  if (/^(Etc\/)?(UTC|GMT|Universal|Zulu|UCT)$/i.test(zone)) return withoutZero(timestampText)
  const toUtc = utcOf(zone)
  const offsets = new Map<string, number>()
  return withoutZero((out, source, start, end) => {
    if (end - start < secondsBytes) return timestampText(out, source, start, end)
    const text = textOf(source, start, end)
    const hour = text.slice(0, hourBytes)
    let offsetMs = offsets.get(hour)
    const localMs = Date.parse(`${text.slice(0, dateBytes)}T${text.slice(dateBytes + 1, secondsBytes)}Z`)
    if (Number.isNaN(localMs)) return timestampText(out, source, start, end)
    if (offsetMs === undefined) {
      if (offsets.size >= cachedHours) offsets.clear()
      offsetMs = localMs - toUtc(localMs)
      // An hour in which the clocks change has no single offset, so it is not cached.
      const hourMs = Math.floor(localMs / 3_600_000) * 3_600_000
      const hasOneOffset = [hourMs, hourMs + 3_599_000].every((atMs) => atMs - toUtc(atMs) === offsetMs)
      if (hasOneOffset) offsets.set(hour, offsetMs)
    }
    const utc = new Date(localMs - offsetMs).toISOString()
    const time = `${utc.slice(0, dateBytes)} ${utc.slice(dateBytes + 1, secondsBytes)}`
    const plain = Buffer.from(time + text.slice(secondsBytes))
    timestampText(out, plain, 0, plain.length)
  })
}

const zeroTimestamp = Buffer.from('0000-00-00 00:00:00')
const firstTimestamp = Buffer.from('1970-01-01 00:00:00')

/** Old versions write the epoch as a zero timestamp, which is not a valid time. */
function withoutZero(write: ValueWriter): ValueWriter {
  return (out, source, start, end) => {
    const isZero = source[start] === 0x30 && zeroTimestamp.compare(source, start, end) === 0
    if (isZero) timestampText(out, firstTimestamp, 0, firstTimestamp.length)
    else write(out, source, start, end)
  }
}
