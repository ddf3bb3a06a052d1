import type { Schedule } from '../../../model/automation.ts'
import { readSchedule } from '../schedule.ts'

/** A run of the digest in the past, with the latest result of each query. */
export interface PlannedDigest<Result> {
  at: Date
  /** By reference. A query without a result at that time is absent. */
  results: ReadonlyMap<string, Result>
}

/** A scheduled run computes its results shortly after its due time. */
const computedWithinMs = 15 * 60_000

/**
 * When the digest would have run, and with which results, oldest first: at each time of the schedule at which there was a new result, or without
 * a schedule at each new result. Pure.
 */
export function planDigests<Result extends { at: Date }>(
  histories: ReadonlyMap<string, readonly Result[]>,
  { schedule, now }: { schedule: Schedule | null; now: Date },
): PlannedDigest<Result>[] {
  const nextDue = schedule && readSchedule(schedule)
  const timeOf = ({ at }: Result) => (nextDue ? nextDue(at.getTime() - computedWithinMs - 1) : at.getTime())
  const arrivals = [...histories].flatMap(([referenceId, results]) => results.map((result) => ({ referenceId, result, ms: timeOf(result) })))
  const past = arrivals.flatMap(({ ms, ...arrival }) => (ms === null || ms > now.getTime() ? [] : [{ ...arrival, ms }]))
  const latest = new Map<string, Result>()
  const planned: PlannedDigest<Result>[] = []
  const ordered = past.toSorted((a, b) => a.ms - b.ms || a.result.at.getTime() - b.result.at.getTime())
  for (const [index, { referenceId, result, ms }] of ordered.entries()) {
    latest.set(referenceId, result)
    if (ordered[index + 1]?.ms !== ms) planned.push({ at: new Date(ms), results: new Map(latest) })
  }
  return planned
}
