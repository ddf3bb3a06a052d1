import { useSyncExternalStore } from 'react'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** A date and time in the reader's time zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at} title={at}>{formatMoment(exact, new Date(at))}</time>
}

/** Keeps AM or PM on the line of its time. */
export function formatMoment(format: Intl.DateTimeFormat, date: Date): string {
  const parts = format.formatToParts(date)
  return parts.map(({ type, value }, at) => (type === 'literal' && parts[at + 1]?.type === 'dayPeriod' ? '\u00a0' : value)).join('')
}

const everyMs = 30_000

/** One clock for all times on the page: a long list has thousands of them. */
const clock = {
  ticks: 0,
  timer: undefined as ReturnType<typeof setInterval> | undefined,
  listeners: new Set<() => void>(),
  read: () => clock.ticks,
  listen(listener: () => void) {
    clock.listeners.add(listener)
    clock.timer ??= setInterval(() => {
      clock.ticks += 1
      for (const each of clock.listeners) each()
    }, everyMs)
    return () => {
      clock.listeners.delete(listener)
      if (clock.listeners.size > 0) return
      clearInterval(clock.timer)
      clock.timer = undefined
    }
  },
}

/** The time relative to now, updated regularly, with the exact time as a tooltip. */
export function RelativeTime({ at }: { at: string }) {
  useSyncExternalStore(clock.listen, clock.read)
  return <time dateTime={at} title={exact.format(new Date(at))}>{fromNow(Date.parse(at) - Date.now())}</time>
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** A relative time in the largest whole unit. Less than a minute is "just now" or "in a moment". */
export function fromNow(differenceMs: number): string {
  const [unit, unitMs] = units.find(([, ms]) => Math.abs(differenceMs) >= ms) ?? []
  if (unit === undefined || unitMs === undefined) return differenceMs > 0 ? 'in a moment' : 'just now'
  return relative.format(Math.trunc(differenceMs / unitMs), unit)
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 0)} s`
}

/** A duration in its two largest units. */
export function duration(ms: number): string {
  const total = Math.max(0, Math.round(ms / 1000))
  if (ms < 10_000) return seconds(ms)
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  if (hours > 0) return `${hours} h ${minutes} min`
  return minutes > 0 ? `${minutes} min ${rest} s` : `${rest} s`
}
