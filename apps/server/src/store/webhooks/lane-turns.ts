import type { ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Clock } from '../../ports/clock.ts'

/**
 * Which lanes a claim visits.
 *
 * A *tour* visits all lanes with pending deliveries, due or not, at some 10 µs each. If it meets a hundred, the following ones leave out
 * lanes in which all deliveries wait for a retry. The statement for this has more steps, so it isn't used beside few lanes.
 *
 * Next to a thousand endpoints that hang, each wake-up would still take 10 ms. *Known* lanes are those of endpoints that the worker has sent to lately and that have room. If
 * there are many lanes, and few of them are known, each claim visits all known lanes and only a part of a tour. After a tour there is a
 * rest of nine times its duration, so tours take at most a tenth of the time. A delivery to an endpoint that isn't known waits that
 * long, at most half a second.
 *
 * A claim that found more than it could take is followed by claims in the order of all lanes, so that no lane is favored.
 */
export interface LaneTurns {
  next(claim: Pick<ClaimOptions, 'afterLane' | 'rooms'>): LaneTurn
  note(visit: LaneTurn & { tourLaneCount: number; isTourOver: boolean; isFull: boolean; areManyRetriesDue: boolean; tookMs: number }): void
}

/** The lanes in which something may be due, or all with pending deliveries. */
export type TourOf = 'due' | 'all'

export interface LaneTurn {
  /** These lanes are visited in any case. */
  known: readonly string[]
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
const lanesBesideKnown = 100
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
    next({ afterLane, rooms }) {
      if (afterLane === '') tour = nothing
      const known = lastTour.laneCount < lanesBesideKnown || wasFull ? [] : lanesWithRoom(rooms)
      const nowMs = clock.monotonicMs()
      const tourOf = nowMs < manyLanesUntilMs && nowMs >= manyRetriesUntilMs ? 'due' : 'all'
      if (known.length === 0 || known.length > lastTour.laneCount / 4) return { known: [], tourLaneMax: lanesAtOnce, tourOf, restMs: 0 }
      const restMs = afterLane === '' ? restLeftMs() : 0
      return restMs > 0 ? { known, tourLaneMax: 0, tourOf: 'all', restMs } : { known, tourLaneMax: lanesBesideKnown, tourOf, restMs }
    },
    note({ tourOf, restMs, tourLaneCount, isTourOver, isFull, areManyRetriesDue, tookMs }) {
      wasFull = isFull
      if (areManyRetriesDue) manyRetriesUntilMs = clock.monotonicMs() + manyRetriesMs
      if (restMs > 0) return
      tour = { laneCount: tour.laneCount + tourLaneCount, tookMs: tour.tookMs + tookMs }
      if (tourOf === 'all' && tour.laneCount >= lanesBesideKnown) manyLanesUntilMs = clock.monotonicMs() + manyLanesMs
      if (!isTourOver) return
      lastTour = { ...tour, endedMs: clock.monotonicMs() }
      tour = nothing
    },
  }
}

function lanesWithRoom(rooms: ReadonlyMap<string, number>): string[] {
  const lanes: string[] = []
  for (const endpointId of rooms.keys()) if (rooms.get(endpointId)! > 0) lanes.push(endpointId)
  return lanes
}
