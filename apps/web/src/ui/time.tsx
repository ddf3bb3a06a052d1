const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment, in the reader's own time zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at} title={at}>{format.format(new Date(at))}</time>
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`
}

/** How long something took or takes, in the two largest units that say something. */
export function duration(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1000))
  if (ms < 10_000) return seconds(ms)
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`
}
