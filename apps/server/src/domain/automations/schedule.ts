import { Cron } from 'croner'
import type { Schedule } from '../../model/automation.ts'
import { makeTimeZone } from './check-time-zone.ts'

/**
 * When a schedule is due. Pure: the only time it knows is the one it is given.
 *
 * The cron expression speaks of local times, and on two days a year those are not what they are on others. So croner is asked for
 * the local times alone, as if the clocks never changed, and the changes are reckoned with here:
 *
 * - A *gap* is what the clocks jump over. A time that falls into it is due at the first moment after it; several such times are
 *   one run.
 * - A *repeat* is what the clocks show twice. A time within it is due the first time, and not again.
 * - An expression that names *every hour* does not speak of times of the day but of a steady pace. It goes on through a repeat, and
 *   through a gap of whole hours, as time itself does.
 */
export function nextDueAt(schedule: Schedule, after: Date): Date | null {
  const next = readSchedule(schedule)(after.getTime())
  return next === null ? null : new Date(next)
}

/** Counting stops here: whoever missed so many does not care how many more. */
export const missedMax = 1000

/** How many more times were due after the first one, up to and including `until`. */
export function missedBetween(schedule: Schedule, first: Date, until: Date): number {
  const next = readSchedule(schedule)
  let count = 0
  let at = next(first.getTime())
  while (at !== null && at <= until.getTime() && count < missedMax) {
    count++
    at = next(at)
  }
  return count
}

const hourMs = 3600_000
/** A repeat is never longer than this. */
const lookBackMs = 24 * hourMs

/** Throws what croner throws for an expression it cannot read. */
export function readSchedule({ cron, timeZone }: Schedule): (afterMs: number) => number | null {
  const pattern = readPattern(cron)
  const isSteady = namesEveryHour(cron)
  const zone = makeTimeZone(timeZone)
  const nextLocal = (afterMs: number) => pattern.nextRun(new Date(afterMs))?.getTime() ?? null

  return (afterMs) => {
    let fromMs = afterMs
    let offset = zone.offsetMs(fromMs)
    let localAfter = fromMs + offset
    const earlierOffset = zone.offsetMs(fromMs - lookBackMs)
    if (!isSteady && earlierOffset > offset) {
      // What the clocks show may be a repeat, whose times have had their turn.
      const began = zone.nextTransition(fromMs - lookBackMs, fromMs)!
      localAfter = Math.max(localAfter, began + earlierOffset - 1)
    }
    for (;;) {
      const local = nextLocal(localAfter)
      if (local === null) return null
      const transition = zone.nextTransition(fromMs, local - offset)
      if (transition === undefined) return local - offset
      const nextOffset = zone.offsetMs(transition)
      const gapMs = nextOffset - offset
      const isInGap = local < transition + nextOffset
      if (isInGap && !(isSteady && gapMs % hourMs === 0)) return transition
      // Where the clocks go on from: `- 1` because what they show first is not behind us yet.
      localAfter = transition + (isSteady ? nextOffset : Math.max(offset, nextOffset)) - 1
      fromMs = transition
      offset = nextOffset
    }
  }
}

/** An offset of none rather than the zone UTC: croner then reckons without asking Intl, ten times as fast. */
const readPattern = (cron: string) => new Cron(cron, { utcOffset: 0, mode: '5-part', paused: true })

function namesEveryHour(cron: string): boolean {
  const named = new Set<number>()
  for (const part of cron.trim().split(/\s+/)[1]!.split(',')) {
    const [range, step] = part.split('/')
    const [from, to] = /^[*?]$/.test(range!) ? [0, 23] : range!.split('-').map(Number)
    for (let hour = from!; hour <= (to ?? from!); hour += Number(step ?? 1)) named.add(hour)
  }
  return named.size === 24
}
