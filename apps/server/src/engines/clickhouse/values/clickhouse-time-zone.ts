/** What the clocks of a zone show, and what time it is then in UTC. Both are milliseconds, read as if they were UTC. */
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
    // With the offset of a day before and of a day after: they differ only around a change of the clocks.
    const candidates = [localMs - dayMs, localMs + dayMs].map((utcMs) => localMs - (localOf(utcMs) - utcMs))
    const fitting = candidates.filter((utcMs) => localOf(utcMs) === localMs)
    return Math.min(...(fitting.length > 0 ? fitting : candidates))
  }
}

const dayMs = 86_400_000
