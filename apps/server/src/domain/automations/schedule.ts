import { Cron } from 'croner'
import type { Schedule } from '../../model/automation.ts'
import { makeTimeZone } from './check-time-zone.ts'

/**
 * When a schedule is due. Pure: it depends only on the time it is given.
 *
 * A cron expression means local times, which are irregular on the two days a year when clocks change. So croner computes local
 * times as if the clocks never changed, and the changes are handled here:
 *
 * - A *gap* is what the clocks skip. A time within it is due at the first moment after it; several such times give one run.
 * - A *repeat* is what the clocks show twice. A time within it is due the first time only.
 * - An expression that names *every hour* means a steady pace rather than times of day. It continues at that pace through a repeat,
 *   and through a gap of whole hours.
 */
export function nextDueAt(schedule: Schedule, after: Date): Date | null {
  const next = readSchedule(schedule)(after.getTime())
  return next === null ? null : new Date(next)
}

/** Counting stops here: beyond this, the exact number does not matter. */
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

/** Throws croner's error for an expression it cannot parse. */
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
      // This may be a repeat, whose times have already had their turn.
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
      // Continue from the new local time; `- 1` because its first moment has not passed yet.
      localAfter = transition + (isSteady ? nextOffset : Math.max(offset, nextOffset)) - 1
      fromMs = transition
      offset = nextOffset
    }
  }
}

/** A zero offset instead of the zone UTC: croner then computes without Intl, ten times as fast. */
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
