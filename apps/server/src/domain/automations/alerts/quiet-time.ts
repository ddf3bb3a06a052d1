import type { MuteWindow } from '../../../model/alert.ts'
import { makeTimeZone } from '../check-time-zone.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** Windows that cover more than a week cover every moment. */
const searchMs = 8 * dayMs

export interface Quiet {
  because: 'snoozed' | 'muted'
  /** Null if the mute windows never end. */
  until: Date | null
}

/** Whether an alert is quiet now, and until when. */
export function quietAt(options: { now: Date; snoozedUntil: Date | null; muteWindows: readonly MuteWindow[] }): Quiet | null {
  const { now, snoozedUntil, muteWindows } = options
  const isSnoozed = snoozedUntil !== null && snoozedUntil > now
  if (!isSnoozed && endOfWindow(muteWindows, now.getTime()) === undefined) return null
  const because = isSnoozed ? 'snoozed' : 'muted'
  let atMs = isSnoozed ? snoozedUntil.getTime() : now.getTime()
  const lastMs = atMs + searchMs
  while (atMs < lastMs) {
    const endMs = endOfWindow(muteWindows, atMs)
    if (endMs === undefined) return { because, until: new Date(atMs) }
    atMs = endMs
  }
  return { because, until: null }
}

/** The end of a window that covers the moment; undefined if none does. */
function endOfWindow(windows: readonly MuteWindow[], atMs: number): number | undefined {
  for (const window of windows) {
    const zone = makeTimeZone(window.timeZone)
    const localMs = atMs + zone.offsetMs(atMs)
    const endLocalMs = localEnd(window, localMs)
    if (endLocalMs === undefined) continue
    const endMs = atMs + endLocalMs - localMs
    // If the clocks change before the window ends, it ends when they show its end.
    const transitionMs = zone.nextTransition(atMs, endMs)
    return transitionMs === undefined ? endMs : Math.max(transitionMs, endLocalMs - zone.offsetMs(transitionMs))
  }
  return undefined
}

/** A window after midnight belongs to the day on which it began. */
function localEnd({ days, from, to }: MuteWindow, localMs: number): number | undefined {
  const midnightMs = Math.floor(localMs / dayMs) * dayMs
  const [fromMs, toMs] = [readTimeOfDay(from), readTimeOfDay(to)]
  const lengthMs = toMs > fromMs ? toMs - fromMs : toMs + dayMs - fromMs
  for (const dayStartMs of [midnightMs, midnightMs - dayMs]) {
    const startMs = dayStartMs + fromMs
    if (days.includes(weekdayOf(dayStartMs)) && localMs >= startMs && localMs < startMs + lengthMs) return startMs + lengthMs
  }
  return undefined
}

/** 1 is Monday. */
const weekdayOf = (localMs: number) => ((new Date(localMs).getUTCDay() + 6) % 7) + 1

function readTimeOfDay(text: string): number {
  const [hours, minutes] = text.split(':').map(Number) as [number, number]
  return (hours * 60 + minutes) * minuteMs
}
