import type { Clock } from '../ports/clock.ts'

/**
 * The due time from which a worker's claims scan the index of pending items.
 *
 * The index has a lane for each endpoint (deliveries) or database (runs), ordered by due time. A *tour* is a sequence of claims from
 * the first lane to the last; a claim that scans all lanes is a tour by itself. A *full* tour scans whole lanes and finds the earliest
 * due time of all pending items. That is the *floor*, from which the following tours scan. No pending item moves below it: an attempt
 * sets a later due time, a delivery that is leased or released keeps its own, and a run is never released. New items fall due when
 * they are published or requested.
 *
 * Some items can end up below the floor and wait for the next full tour: items written by a transaction that took longer than
 * `slackMs` to commit, deliveries to an endpoint that was disabled or whose organization had webhooks turned off, and runs requested
 * through a process whose clock is behind the store's.
 */
export interface ClaimFloor {
  dueFrom(claim: { workerId: string; afterLane: string }): Date
  /** For a claim that is not part of a tour. */
  current(): Date
  /** Records what the claim found, and the store's time at that moment. */
  note(found: { nextAfterLane: string; earliestDueAt: Date | null; claimedAt: Date }): void
}

const slackMs = 2_000
/** Old snapshots make full tours slow. They should take at most a twentieth of the time. */
const fullShare = 1 / 20

const wholeLanes = new Date(0)

interface Tour {
  isFull: boolean
  /** The store's time of its first claim; undefined until that claim has returned. */
  beganAtMs: number | undefined
  earliestMs: number
  /** The total duration of its claims so far. */
  tookMs: number
}

/** `fullEveryMs` bounds how long a floor is used, which depends on how long it took to find. */
export function makeClaimFloor(deps: {
  clock: Pick<Clock, 'monotonicMs'>
  fullEveryMs: { atLeast: number; atMost: number }
}): ClaimFloor {
  const { clock, fullEveryMs } = deps
  let workerId: string | undefined
  let floor: { dueFrom: Date; foundAtMs: number; validUntilMs: number } | undefined
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
        const isFull = floor === undefined || claimBeganMs >= floor.validUntilMs
        tour = { isFull, beganAtMs: undefined, earliestMs: Number.POSITIVE_INFINITY, tookMs: 0 }
      }
      return tour?.isFull === false && floor ? floor.dueFrom : wholeLanes
    },
    current: () => floor?.dueFrom ?? wholeLanes,
    note({ nextAfterLane, earliestDueAt, claimedAt }) {
      // The store's clock was set back, so new items fall due below the floor.
      if (floor && claimedAt.getTime() < floor.foundAtMs) floor = undefined
      if (!tour?.isFull) return
      const nowMs = clock.monotonicMs()
      tour.beganAtMs ??= claimedAt.getTime()
      tour.tookMs += nowMs - claimBeganMs
      if (earliestDueAt) tour.earliestMs = Math.min(tour.earliestMs, earliestDueAt.getTime())
      if (nextAfterLane !== '') return
      const validForMs = Math.min(Math.max(fullEveryMs.atLeast, tour.tookMs / fullShare), fullEveryMs.atMost)
      const dueFrom = new Date(Math.min(tour.earliestMs, tour.beganAtMs - slackMs))
      floor = { dueFrom, foundAtMs: tour.beganAtMs, validUntilMs: nowMs + validForMs }
      tour = undefined
    },
  }
}
