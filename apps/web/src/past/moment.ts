/** The time in `?at=` of a page that shows the past, as ISO 8601 in UTC. Null for the present, and if the text is not a time. */
export function momentIn(search: string): string | null {
  const text = new URLSearchParams(search).get('at')
  if (text === null) return null
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? null : time.toISOString()
}

/** The query string with another time, or without one. */
export function withMoment(search: string, at: string | null): string {
  const changed = new URLSearchParams(search)
  if (at === null) changed.delete('at')
  else changed.set('at', at)
  return changed.size === 0 ? '' : `?${changed}`
}
