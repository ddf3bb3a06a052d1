import { timestampText, zonedTimestampText } from '../text-values/time-texts.ts'
import { textOf, type ValueWriter } from '../text-values/value-writer.ts'
import { localTimestamp } from '../text-values/zoned-timestamps.ts'

const space = 0x20
const letterU = 0x55

const byZone = new Map<string, ValueWriter>()

/**
 * A timestamp with its zone: `2026-01-05 10:00:00.000 Europe/Berlin`, `… +01:00` or `… UTC`. In the hour that the clocks of a zone
 * repeat, the text is ambiguous; the first occurrence is used.
 */
export const zonedTimestamp: ValueWriter = (out, source, start, end) => {
  let zoneStart = end
  while (zoneStart > start && source[zoneStart - 1] !== space) zoneStart--
  const timeEnd = zoneStart - 1
  if (end - zoneStart === 3 && source[zoneStart] === letterU) return timestampText(out, source, start, timeEnd)
  const zone = textOf(source, zoneStart, end)
  if (/^[+-]\d\d:\d\d$/.test(zone)) {
    const text = Buffer.from(textOf(source, start, timeEnd) + (zone.endsWith('00:00') ? '+00' : zone))
    return zonedTimestampText(out, text, 0, text.length)
  }
  return writerIn(zone)(out, source, start, timeEnd)
}

function writerIn(zone: string): ValueWriter {
  const known = byZone.get(zone)
  if (known) return known
  const writer = localTimestamp(zone)
  byZone.set(zone, writer)
  return writer
}
