import type { Clock } from '../../ports/clock.ts'
import type { ClaimOptions } from '../../model/claimed-delivery.ts'

/**
 * From which due time on a worker's claims look into the lanes.
 *
 * A *tour* is a sequence of claims from the first lane to the last. A *full* tour looks into whole lanes and finds when the earliest
 * of the due deliveries fell due: that is the *floor*, from which the tours after it look. Nothing that is pending moves below it:
 * an attempt sets a later due time, and a delivery that is leased or given back keeps its own. A new delivery is due when it is published.
 *
 * What may be below the floor waits for the next full tour, which is two seconds unless full tours have become slow: what a transaction
 * published that took longer than `slackMs` to commit, and what was pending for an endpoint that could not get it, because it was disabled or its organization's webhooks were switched off.
 */
export interface LaneFloor {
  dueFrom(claim: Pick<ClaimOptions, 'workerId' | 'afterLane'>): Date
  /** What that claim found, and the store's time when it did. */
  note(found: { nextAfterLane: string; earliestDueAt: Date | null; claimedAt: Date }): void
}

const slackMs = 2_000
const fullEveryMs = { atLeast: 2_000, atMost: 60_000 }
/** Full tours are what an old snapshot makes slow. They are to take no more than a twentieth of the time. */
const fullShare = 1 / 20

const wholeLanes = new Date(0)

interface Tour {
  isFull: boolean
  /** The store's time of its first claim; undefined until that has come back. */
  beganAtMs: number | undefined
  earliestMs: number
  /** How long its claims took so far, all together. */
  tookMs: number
}

export function makeLaneFloor({ clock }: { clock: Pick<Clock, 'monotonicMs'> }): LaneFloor {
  let workerId: string | undefined
  let floor: { dueFrom: Date; goodUntilMs: number } | undefined
  let tour: Tour | undefined
  let claimBeganMs = 0

  return {
    dueFrom(claim) {
      if (claim.workerId !== workerId) {
        workerId = claim.workerId
        floor = undefined
        tour = undefined
      }
      claimBeganMs = clock.monotonicMs()
      if (claim.afterLane === '') {
        const isFull = floor === undefined || claimBeganMs >= floor.goodUntilMs
        tour = { isFull, beganAtMs: undefined, earliestMs: Number.POSITIVE_INFINITY, tookMs: 0 }
      }
      return tour?.isFull === false && floor ? floor.dueFrom : wholeLanes
    },
    note({ nextAfterLane, earliestDueAt, claimedAt }) {
      if (!tour?.isFull) return
      const nowMs = clock.monotonicMs()
      tour.beganAtMs ??= claimedAt.getTime()
      tour.tookMs += nowMs - claimBeganMs
      if (earliestDueAt) tour.earliestMs = Math.min(tour.earliestMs, earliestDueAt.getTime())
      if (nextAfterLane !== '') return
      const goodForMs = Math.min(Math.max(fullEveryMs.atLeast, tour.tookMs / fullShare), fullEveryMs.atMost)
      floor = { dueFrom: new Date(Math.min(tour.earliestMs, tour.beganAtMs - slackMs)), goodUntilMs: nowMs + goodForMs }
      tour = undefined
    },
  }
}
