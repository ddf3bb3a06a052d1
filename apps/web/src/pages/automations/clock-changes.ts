/**
 * What a reader should know of the next times of a schedule where the clocks of its zone are put forward or back among them:
 * the times are right, but they look odd to whoever does not think of it.
 */
export function clockRemarks(times: string[], timeZone: string): string[] {
  const read = reader(timeZone)
  if (!read) return []
  const remarks: string[] = []
  for (const [at, time] of times.entries()) {
    const before = at > 0 ? read(times[at - 1]!) : undefined
    const { offset, day } = read(time)
    if (before && before.offset !== offset) {
      remarks.push(`The clocks change before ${day}: from ${before.offset} to ${offset}.`)
    }
  }
  return remarks
}

/** Undefined for a zone that the browser does not know, or one that is being typed. */
function reader(timeZone: string): ((time: string) => { offset: string; day: string }) | undefined {
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
