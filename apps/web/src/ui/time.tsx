const format = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** A moment, in the reader's own time zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at} title={at}>{format.format(new Date(at))}</time>
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`
}
