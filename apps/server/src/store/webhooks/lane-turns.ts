import type { ClaimOptions } from '../../model/claimed-delivery.ts'
import type { Clock } from '../../ports/clock.ts'
import { lanesAtOnce } from './claim-deliveries.ts'

/**
 * Which lanes a claim looks at.
 *
 * A *tour* visits all lanes with pending deliveries, due or not, at some 10 µs each. Next to a thousand endpoints that hang or wait for a
 * retry, each wake-up would take 10 ms. *Known* lanes are those of endpoints that the worker has sent to lately and that have room. If
 * they are few compared to all lanes, they take turns with tours: a claim looks at the known lanes, then at a few lanes of a tour, and so
 * on. A tour begins when nine times the duration of the last one has passed, so tours take at most a tenth of the time. A
 * delivery to an endpoint that isn't known waits that long, at most half a second.
 */
export interface LaneTurns {
  next(claim: Pick<ClaimOptions, 'afterLane' | 'rooms'>): LaneTurn
  /** Records how many lanes a claim of a tour has visited. */
  noteVisit(visit: { laneCount: number; isLast: boolean; tookMs: number }): void
}

export type LaneTurn = { known: string[]; tourInMs: number } | { laneCountMax: number }

/** How many lanes a claim visits between two looks at known lanes. */
const lanesBetween = 100
const restPerTour = 9
const restMaxMs = 500

export function makeLaneTurns({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): LaneTurns {
  const nothing = { laneCount: 0, tookMs: 0 }
  let lastTour = { ...nothing, endedMs: -Infinity }
  let tour = nothing
  let wasKnown = false
  return {
    next({ afterLane, rooms }) {
      const known = [...rooms].filter(([, room]) => room > 0).map(([endpointId]) => endpointId)
      const isLong = lastTour.laneCount >= lanesBetween && known.length > 0 && known.length <= lastTour.laneCount / 4
      const restMs = lastTour.endedMs + Math.min(restPerTour * lastTour.tookMs, restMaxMs) - clock.monotonicMs()
      const tourInMs = afterLane === '' ? Math.max(0, restMs) : 0
      wasKnown = isLong && (!wasKnown || tourInMs > 0)
      if (wasKnown) return { known: known.toSorted(), tourInMs }
      return { laneCountMax: isLong ? lanesBetween : lanesAtOnce }
    },
    noteVisit({ laneCount, isLast, tookMs }) {
      tour = { laneCount: tour.laneCount + laneCount, tookMs: tour.tookMs + tookMs }
      if (!isLast) return
      lastTour = { ...tour, endedMs: clock.monotonicMs() }
      tour = nothing
    },
  }
}
