import type { Clock } from '../ports/clock.ts'

/**
 * From which due time on a worker's claims look into the index of what is pending.
 *
 * The index has a lane for each endpoint (deliveries) or database (runs), ordered by due time. A *tour* is a sequence of claims from
 * the first lane to the last; where one claim looks into all lanes, it is a tour by itself. A *full* tour looks into whole lanes and
 * finds when the earliest of what is pending fell due: that is the *floor*, from which the tours after it look. Nothing that is
 * pending moves below it: an attempt sets a later due time, a delivery that is leased or given back keeps its own, and a run is never
 * given back. What is new falls due when it is published or asked for.
 *
 * What may be below the floor waits for the next full tour: what a transaction wrote that took longer than `slackMs` to commit, what
 * was pending for an endpoint that could not get it because it was disabled or its organization's webhooks were switched off, and
 * runs asked for through a process whose clock is behind the store's.
 */
export interface ClaimFloor {
  dueFrom(claim: { workerId: string; afterLane: string }): Date
  /** What that claim found, and the store's time when it did. */
  note(found: { nextAfterLane: string; earliestDueAt: Date | null; claimedAt: Date }): void
}

const slackMs = 2_000
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

/** `fullEveryMs`: how long a floor may be used, depending on how long it took to find. */
export function makeClaimFloor(deps: {
  clock: Pick<Clock, 'monotonicMs'>
  fullEveryMs: { atLeast: number; atMost: number }
}): ClaimFloor {
  const { clock, fullEveryMs } = deps
  let workerId: string | undefined
  let floor: { dueFrom: Date; foundAtMs: number; goodUntilMs: number } | undefined
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
      // The store's clock was set back: what falls due now is below the floor.
      if (floor && claimedAt.getTime() < floor.foundAtMs) floor = undefined
      if (!tour?.isFull) return
      const nowMs = clock.monotonicMs()
      tour.beganAtMs ??= claimedAt.getTime()
      tour.tookMs += nowMs - claimBeganMs
      if (earliestDueAt) tour.earliestMs = Math.min(tour.earliestMs, earliestDueAt.getTime())
      if (nextAfterLane !== '') return
      const goodForMs = Math.min(Math.max(fullEveryMs.atLeast, tour.tookMs / fullShare), fullEveryMs.atMost)
      const dueFrom = new Date(Math.min(tour.earliestMs, tour.beganAtMs - slackMs))
      floor = { dueFrom, foundAtMs: tour.beganAtMs, goodUntilMs: nowMs + goodForMs }
      tour = undefined
    },
  }
}
