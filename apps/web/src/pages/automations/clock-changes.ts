/** Explains a daylight saving change within the next times of a schedule. The times are right, but look odd without a note. */
export function clockChangeNotes(times: string[], timeZone: string): string[] {
  const read = makeReader(timeZone)
  if (!read) return []
  const notes: string[] = []
  for (const [at, time] of times.entries()) {
    const before = at > 0 ? read(times[at - 1]!) : undefined
    const { offset, day } = read(time)
    if (before && before.offset !== offset) {
      notes.push(`Clocks change before ${day}: from ${before.offset} to ${offset}.`)
    }
  }
  return notes
}

/** Undefined for an unknown or half-typed time zone. */
function makeReader(timeZone: string): ((time: string) => { offset: string; day: string }) | undefined {
  try {
    const offsets = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'longOffset' })
    const days = new Intl.DateTimeFormat(undefined, { timeZone, weekday: 'long', day: 'numeric', month: 'long' })
    return (time) => {
      const date = new Date(time)
      const name = offsets.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? ''
      return { offset: name === 'GMT' ? 'UTC' : name.replace('GMT', 'UTC'), day: days.format(date) }
    }
  } catch {
    return undefined
  }
}
