import { deliveryAttemptsMax, deliveryDeadlineMs, deliveryLeaseMs } from '@querypost/server/background-work'
import type { Commit, Judge, Observed, ObservedDelivery, ObservedRequest } from '../world/observed.ts'

/**
 * 1. An event whose transaction committed reaches every subscribed endpoint's final state: delivered, exhausted or
 * held.
 *
 * Delivered means that the receiver sent a complete 2xx in time, exhausted that eight attempts are recorded, held that the endpoint is
 * disabled. Final states don't change; only a person releases a held delivery. An event that did not commit leaves nothing behind. A
 * late record may still add the outcome of an attempt to a delivery that was held in the meantime.
 */
export function reachesItsEnd(observed: Observed): Judge {
  function judgeChange(change: Commit['changes'][number], commit: Commit): string | undefined {
    const { before, after } = change
    const { cause } = commit
    if (!before) {
      // The end of an agent run also publishes an event.
      const isPublished = cause.by === 'publisher' || commit.work.some(({ table, after: { id } }) => table === 'events' && id === after!.eventId)
      return isPublished ? undefined : `delivery ${after!.id} came out of nowhere`
    }
    if (!after) return `delivery ${before.id} is gone; it was ${before.state}`
    if (before.state === after.state && before.attemptCount === after.attemptCount) return undefined
    const move = `delivery ${after.id} went from ${before.state} to ${after.state}`
    if (before.state === 'delivered' || before.state === 'exhausted') return `${move}, but that is final`
    if (before.state === 'held' && after.state === 'pending' && cause.by !== 'person') return `${move} without a person`
    const delivery = observed.deliveries.get(after.id)!
    const success = cause.by === 'worker' ? successUnderItsLease(delivery) : undefined
    if (after.state === 'delivered' && !success) return `${move}, but no receiver has answered 2xx in time`
    const isFailure = after.state !== 'delivered' && after.attemptCount > before.attemptCount
    if (isFailure && success && !isClaimedTwice(delivery)) {
      return `${move} as a failure, but its receiver answered ${success.answer!.status} in time`
    }
    if (after.state === 'exhausted' && after.attemptCount !== deliveryAttemptsMax) {
      return `${move} after ${after.attemptCount} attempts`
    }
    if (after.state === 'held' && observed.endpoints.get(after.endpointId)!.row.state === 'enabled') {
      return `${move}, but its endpoint is enabled`
    }
    return undefined
  }

  return {
    invariant: 1,
    committed(commit) {
      return judgePublication(commit) ?? firstOf(commit.changes, (change) => judgeChange(change, commit))
    },
    ended: () =>
      firstOf(observed.deliveries.values(), ({ row: { id, state, endpointId } }) =>
        state === 'pending' && canEnd(observed, endpointId) ? `delivery ${id} is still pending at the end` : undefined,
      ),
  }
}

function judgePublication({ cause, changes }: Commit): string | undefined {
  if (cause.by !== 'publisher') return undefined
  const { eventId, expected, isRolledBack } = cause.publication
  const made = changes.map(({ after }) => after).filter((row) => row?.eventId === eventId)
  const wanted = isRolledBack ? [] : expected
  const isAsWanted =
    made.length === wanted.length &&
    wanted.every(({ endpointId, state }) => made.some((row) => row?.endpointId === endpointId && row.state === state))
  if (!isAsWanted) return `event ${eventId} was to bring ${JSON.stringify(wanted)} and brought ${JSON.stringify(made)}`
  return undefined
}

/** False for deleted endpoints and while the organization's webhooks are switched off, since nothing is sent then. */
export function canEnd(observed: Observed, endpointId: string): boolean {
  const { row } = observed.endpoints.get(endpointId)!
  return !row.isDeleted && !observed.isSwitchedOff(row.organizationId)
}

/** The request under the current lease that got a complete 2xx in time. A stalled worker may see it late. */
function successUnderItsLease(delivery: ObservedDelivery): ObservedRequest | undefined {
  const claim = delivery.claims.at(-1)
  return delivery.requests.find(
    (request) => claim && request.machine === claim.machine && request.atMs >= claim.atMs && isSuccess(request),
  )
}

/** A worker whose clock jumped may claim a delivery that it is already sending. The record of the first attempt is then rejected. */
export function isClaimedTwice({ claims }: ObservedDelivery): boolean {
  const claim = claims.at(-1)!
  return claims.some((each) => each !== claim && each.machine === claim.machine && claim.atMs - each.atMs <= deliveryLeaseMs)
}

function isSuccess({ answer, answeredMs, attemptBeganMs, machine }: ObservedRequest): boolean {
  const status = answer?.failure ? null : (answer?.status ?? null)
  if (status === null || status < 200 || status >= 300) return false
  return answeredMs! - attemptBeganMs <= deliveryDeadlineMs + 2 || machine.last.stallMs >= attemptBeganMs
}

export function firstOf<Value>(values: Iterable<Value>, find: (value: Value) => string | undefined): string | undefined {
  for (const value of values) {
    const found = find(value)
    if (found !== undefined) return found
  }
  return undefined
}
