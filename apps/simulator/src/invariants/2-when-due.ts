import { deliveryAttemptsMax, deliveryJitterShareMax, deliveryLeaseMs, deliveryWaitsMs, lookValidMs } from '@querypost/server/background-work'
import { type Machine, worldBeganAt } from '../world/machine.ts'
import type { Cause, Commit, Judge, Observed } from '../world/observed.ts'
import { firstOf, isClaimedTwice } from './1-reaches-its-end.ts'
import { isParked } from './8-in-order.ts'

type WorkerCause = Extract<Cause, { by: 'worker' }>
type Change = Commit['changes'][number]

/**
 * 2. No attempt before it is due; at most 8 recorded attempts; the waits of interface 6.3.5.
 *
 * All by the store's time, regardless of the workers' clocks. A claim allows one request, sent before the lease
 * expires. An attempt is recorded once, by the lease holder. The next attempt is due after the wait, plus at most a tenth and the time
 * that the record took to reach the store.
 */
export function whenDue(observed: Observed): Judge {
  function judgeClaim({ before, after }: Change, cause: WorkerCause): string | undefined {
    if (!before || !after) return undefined
    // It waits for an earlier one of its key, which is invariant 8.
    if (isParked(after) && after.leaseNumber === before.leaseNumber) return undefined
    const who = `${cause.machine.id} claimed ${after.id}`
    if (after.leaseNumber !== before.leaseNumber + 1) {
      return `${who}, and its lease went from ${before.leaseNumber} to ${after.leaseNumber}`
    }
    if (before.state !== 'pending') return `${who}, which was ${before.state}`
    if (before.attemptCount >= deliveryAttemptsMax) return `${who} for attempt ${before.attemptCount + 1}`
    const endpoint = observed.endpoints.get(after.endpointId)!.row
    const storeMs = worldBeganAt + observed.nowMs() + observed.storeAheadMs(endpoint.organizationId)
    const earlyMs = before.nextAttemptAt!.getTime() - storeMs
    if (earlyMs > 0) return `${who} ${earlyMs} ms before it was due`
    const leftMs = (before.leaseExpiresAt?.getTime() ?? 0) - storeMs
    const holder = observed.deliveries.get(after.id)!.claims.at(-1)?.machine
    const isOrphaned =
      before.orderKey === null && holder !== undefined && (observed.mayBeGone(holder, cause.calledMs) || canKnowNothing(cause.machine, cause.calledMs - lookValidMs))
    if (leftMs > 0 && !isOrphaned) return `${who} while another had it for ${leftMs} ms more`
    const isGone = endpoint.isDeleted || observed.isSwitchedOff(endpoint.organizationId)
    if (isGone) return `${who}, but nothing may be sent there any more`
    if (endpoint.state === 'disabled' && !after.isTest) return `${who}, but its endpoint is disabled`
    return undefined
  }

  function judgeRecord({ before, after }: Change, cause: WorkerCause): string | undefined {
    if (!before || !after) return undefined
    // It was held with its endpoint, or it is its turn.
    if (after.attemptCount === before.attemptCount && (after.state === 'held' || isParked(before))) return undefined
    const who = `${cause.machine.id} recorded attempt ${after.attemptCount} of ${after.id}`
    if (after.attemptCount !== before.attemptCount + 1) return `${who} after ${before.attemptCount}`
    if (after.attemptCount > deliveryAttemptsMax) return `${who}: more than ${deliveryAttemptsMax}`
    if (after.attemptsLogged !== after.attemptCount) return `${who}, and its log has ${after.attemptsLogged}`
    const claim = observed.deliveries.get(after.id)!.claims.at(-1)
    if (claim?.machine !== cause.machine) return `${who}, but ${claim?.machine.id ?? 'no worker'} has the lease`
    const isUnderThisLease = cause.records.some(
      ({ deliveryId, leaseNumber }) => deliveryId === after.id && leaseNumber === before.leaseNumber,
    )
    if (!isUnderThisLease) return `${who} under another lease than ${before.leaseNumber}`
    if (after.state !== 'pending') return undefined
    const aheadMs = observed.storeAheadMs(observed.endpoints.get(after.endpointId)!.row.organizationId)
    return judgeWait(after.id, cause, after.nextAttemptAt!.getTime() - worldBeganAt - aheadMs)
  }

  /** A wait begins when the attempt ends: with the response, or with the DNS answer if it got no further. */
  function judgeWait(deliveryId: string, cause: WorkerCause, nextMs: number): string | undefined {
    const delivery = observed.deliveries.get(deliveryId)!
    const { row, claims, requests } = delivery
    const waitMs = deliveryWaitsMs[row.attemptCount]!
    const claim = claims.at(-1)!
    const own = requests.filter(({ machine }) => machine === cause.machine)
    const { hostname } = observed.endpoints.get(row.endpointId)!.plan
    // A worker whose clock jumped may have claimed it twice and be sending both.
    const ends = own
      .filter(({ atMs }) => atMs >= claim.calledMs - deliveryLeaseMs)
      .flatMap(({ answeredMs }) => answeredMs ?? [])
    const isSent = own.some(({ atMs }) => atMs >= claim.calledMs) && !isClaimedTwice(delivery)
    if (!isSent) ends.push(...observed.nameAnsweredMs(cause.machine, hostname))
    // A suspended machine does not know for how long, so the next attempt is later by that time.
    const isAsleepSince = (endMs: number) => cause.machine.last.suspensionEndMs >= endMs
    const mostMs = Math.ceil(waitMs * (1 + deliveryJitterShareMax)) + observed.nowMs() - cause.calledMs
    const isRight = ends.some((endMs) => nextMs >= endMs + waitMs && (nextMs <= endMs + mostMs || isAsleepSince(endMs)))
    if (isRight) return undefined
    const waits = ends.slice(-3).map((endMs) => nextMs - endMs)
    const attempt = `attempt ${row.attemptCount + 1} of ${deliveryId}`
    return `after ${attempt} the wait is ${waits.join(' or ')} ms, not ${waitMs} to a tenth more`
  }

  return {
    invariant: 2,
    committed({ cause, changes }) {
      if (cause.by !== 'worker') return undefined
      return firstOf(changes, (change) => {
        if (cause.call === 'claim') return judgeClaim(change, cause)
        if (cause.call === 'record') return judgeRecord(change, cause)
        const isCounted = change.after && change.before && change.after.attemptCount !== change.before.attemptCount
        return isCounted ? `${cause.call} changed the attempts of ${change.after!.id}` : undefined
      })
    },
    requested(request) {
      const { delivery, machine } = request
      if (!delivery) return undefined
      const what = `${machine.id} sent ${delivery.row.id} to ${delivery.row.endpointId}`
      // With a wrong clock the lease may have expired and the delivery been claimed again. That is not this worker's fault.
      const claims = delivery.claims.filter((each) => each.machine === machine && !each.isUsed)
      const claim = claims.find(({ atMs }) => request.atMs - atMs <= deliveryLeaseMs) ?? claims.at(-1)
      if (!claim) return `${what} without having claimed it, or more than once under one lease`
      claim.isUsed = true
      const sinceMs = request.atMs - claim.atMs
      return sinceMs > deliveryLeaseMs && !canKnowNothing(machine, claim.calledMs) ? `${what} ${sinceMs} ms after claiming it` : undefined
    },
  }
}

/** A worker whose monotonic clock stopped and whose wall clock was set back can't measure time. */
const canKnowNothing = ({ last }: Machine, sinceMs: number) => last.suspensionEndMs >= sinceMs && last.wallJumpMs >= sinceMs
