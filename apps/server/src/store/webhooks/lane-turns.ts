import type { ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Which lanes a claim visits.
 *
 * A *tour* visits all lanes with pending deliveries, due or not, at some 10 µs each. If it meets a hundred, the following ones leave out
 * lanes in which all deliveries wait for a retry. The statement for this has more steps, so it isn't used beside few lanes.
 *
 * Next to a thousand endpoints that hang, each wake-up would still take 10 ms. If there are many lanes, each claim visits the *likely* ones, and only a part of a
 * tour. Likely lanes are those of the newest deliveries, and those that the worker names: it has not finished them. After a tour there is a rest of nine times its
 * duration, so tours take at most a tenth of the time. A retry waits that long, at most half a second.
 *
 * A claim that found more than it could take is followed by claims in the order of all lanes, so that no lane is favored.
 */
export interface LaneTurns {
  next(claim: Pick<ClaimOptions, 'afterLane' | 'unfinished'>): LaneTurn
  note(visit: LaneTurn & { tourLaneCount: number; isTourOver: boolean; isFull: boolean; areManyRetriesDue: boolean; tookMs: number }): void
  /** Notes a claim between two tours. */
  noteBetween(claim: { isFull: boolean }): void
}

/** The lanes in which something may be due, or all with pending deliveries. */
export type TourOf = 'due' | 'all'

export interface LaneTurn {
  /** Whether likely lanes are visited in any case. */
  isLikelyFirst: boolean
  /** How many lanes of the tour are visited. */
  tourLaneMax: number
  tourOf: TourOf
  /** How long the rest between two tours still takes; 0 if there is none. */
  restMs: number
}

/** The number of lanes that one statement visits. If more endpoints have pending deliveries, they take turns. */
export const lanesAtOnce = 500
/** If so many retries are due, a tour visits all lanes with pending deliveries, instead of reading all retries to find their lanes. */
export const dueRetriesAtOnce = 500
const lanesBesideLikely = 100
const restPerTour = 9
const restMaxMs = 500
/** How long tours leave out lanes in which nothing is due, after one has met many lanes, before another one visits all lanes. */
const manyLanesMs = 60_000
/** How long tours visit all lanes after one has met many due retries. */
const manyRetriesMs = 1_000

export function makeLaneTurns({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): LaneTurns {
  const nothing = { laneCount: 0, tookMs: 0 }
  let lastTour = { ...nothing, endedMs: -Infinity }
  let tour = nothing
  let wasFull = false
  let manyLanesUntilMs = -Infinity
  let manyRetriesUntilMs = -Infinity

  function restLeftMs(): number {
    const restMs = Math.min(restPerTour * lastTour.tookMs, restMaxMs)
    return Math.max(0, lastTour.endedMs + restMs - clock.monotonicMs())
  }

  return {
    next({ afterLane, unfinished }) {
      if (afterLane === '') tour = nothing
      const nowMs = clock.monotonicMs()
      const tourOf = nowMs < manyLanesUntilMs && nowMs >= manyRetriesUntilMs ? 'due' : 'all'
      const isLikelyFirst = !wasFull && lastTour.laneCount >= lanesBesideLikely && unfinished.length <= lastTour.laneCount / 4
      if (!isLikelyFirst) return { isLikelyFirst, tourLaneMax: lanesAtOnce, tourOf, restMs: 0 }
      const restMs = afterLane === '' ? restLeftMs() : 0
      return { isLikelyFirst, tourLaneMax: lanesBesideLikely, tourOf, restMs }
    },
    noteBetween({ isFull }) {
      wasFull = isFull
    },
    note({ tourOf, tourLaneCount, isTourOver, isFull, areManyRetriesDue, tookMs }) {
      wasFull = isFull
      if (areManyRetriesDue) manyRetriesUntilMs = clock.monotonicMs() + manyRetriesMs
      tour = { laneCount: tour.laneCount + tourLaneCount, tookMs: tour.tookMs + tookMs }
      if (tourOf === 'all' && tour.laneCount >= lanesBesideLikely) manyLanesUntilMs = clock.monotonicMs() + manyLanesMs
      if (!isTourOver) return
      lastTour = { ...tour, endedMs: clock.monotonicMs() }
      tour = nothing
    },
  }
}
