/** Converts a zone's local time to UTC. Both are epoch milliseconds, the local time read as if it were UTC. */
export function utcOf(zone: string): (localMs: number) => number {
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  })
  const localOf = (utcMs: number): number => {
    const parts = Object.fromEntries(clock.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]))
    return Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second'])
  }
  return (localMs) => {
    // Try the offsets of the day before and the day after: they differ only around a clock change.
    const candidates = [localMs - dayMs, localMs + dayMs].map((utcMs) => localMs - (localOf(utcMs) - utcMs))
    const matching = candidates.filter((utcMs) => localOf(utcMs) === localMs)
    return Math.min(...(matching.length > 0 ? matching : candidates))
  }
}

const dayMs = 86_400_000
