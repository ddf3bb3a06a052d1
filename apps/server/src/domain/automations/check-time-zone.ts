/**
 * Local time in a time zone, derived only from the zone's *offset* from UTC. The moments at which the offset changes are its
 * *transitions*.
 *
 * A *local time* is represented as the UTC milliseconds that show the same clock reading, so ordinary arithmetic works on it.
 */
export interface TimeZone {
  offsetMs(atMs: number): number
  /** The first transition after `afterMs` and no later than `untilMs`. */
  nextTransition(afterMs: number, untilMs: number): number | undefined
}

/** No zone has changed its clocks and changed them back within less than this for a long time. */
const probeMs = 7 * 24 * 3600_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** Throws a RangeError if the name is not a time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  // Names are case-insensitive. Caching by the given spelling would allow thousands of entries for one zone.
  const name = timeZone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  // Only existing names get here: a few hundred.
  formats.set(name, format)
  return format
}

export function isTimeZone(name: string): boolean {
  // Intl also accepts offsets such as +02:00, which are not places and have no daylight saving time.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

export function makeTimeZone(name: string): TimeZone {
  const format = formatOf(name)

  function offsetMs(atMs: number): number {
    const wholeMs = Math.floor(atMs / 1000) * 1000
    const field: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(wholeMs)) field[type] = Number(value)
    const { year, month, day, hour, minute, second } = field as Record<
      'year' | 'month' | 'day' | 'hour' | 'minute' | 'second',
      number
    >
    return Date.UTC(year, month - 1, day, hour, minute, second) - wholeMs
  }

  return {
    offsetMs,
    nextTransition(afterMs, untilMs) {
      const before = offsetMs(afterMs)
      let fromMs = afterMs
      while (fromMs < untilMs) {
        const toMs = Math.min(fromMs + probeMs, untilMs)
        if (offsetMs(toMs) !== before) return firstOtherOffset(fromMs, toMs, before)
        fromMs = toMs
      }
      return undefined
    },
  }

  /** Transitions happen at whole seconds. */
  function firstOtherOffset(sameMs: number, otherMs: number, offset: number): number {
    let [low, high] = [Math.floor(sameMs / 1000), Math.ceil(otherMs / 1000)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (offsetMs(middle * 1000) === offset) low = middle
      else high = middle
    }
    return high * 1000
  }
}
