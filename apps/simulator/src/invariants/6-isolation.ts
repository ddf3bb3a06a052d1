import { absentForMs, allowanceMax, deliveryDeadlineMs, presenceLookMs } from '@querypost/server/background-work'
import { type Machine, worldBeganAt } from '../world/machine.ts'
import type { Judge, Observed, ObservedDelivery, ObservedRequest } from '../world/observed.ts'
import { canEnd, firstOf } from './1-reaches-its-end.ts'

/**
 * The time within which a first attempt must begin: one poll (1 s), clock differences (twice 3 s), one timeout until a slot is free if
 * many endpoints hang (10 s), and some for the store. It does not depend on the backlog.
 */
export const startsWithinMs = 20_000

/** Timers fire on whole milliseconds. */
const roundingMs = 2

/** Others notice within this time that a worker has died. */
const noticedWithinMs = 2 * presenceLookMs + absentForMs

/** When its lease expires, or when others have noticed that the worker that holds it is dead. */
export function leaseOverMs(observed: Observed, { row, claims }: ObservedDelivery): number {
  if (row.leaseExpiresAt === null) return -Infinity
  const holder = row.orderKey === null ? claims.at(-1)?.machine : undefined
  const diedMs = holder?.diedMs()
  const noticedMs = diedMs !== undefined && isNoticed(observed, holder!, diedMs) ? diedMs + noticedWithinMs : Infinity
  return Math.min(toWorldMs(observed, row, row.leaseExpiresAt), noticedMs)
}

/** A time of the delivery's store, in the world's time. */
export const toWorldMs = (observed: Observed, { endpointId }: ObservedDelivery['row'], at: Date): number =>
  at.getTime() - worldBeganAt - observed.storeAheadMs(observed.endpoints.get(endpointId)!.row.organizationId)

/** A worker that looked before the death and had no trouble since notices it. Others may take it for a result of their trouble. */
function isNoticed(observed: Observed, dead: Machine, diedMs: number): boolean {
  const lookedMs = diedMs - 2 * presenceLookMs
  if (observed.storeAwayUntilMs(dead) >= lookedMs) return false
  return observed.peersOf(dead).some(
    ({ startedMs, last }) => Math.max(startedMs + presenceLookMs, last.troubleMs, last.stallMs, last.suspensionEndMs) < lookedMs,
  )
}

/**
 * 6. A slow or dead endpoint changes nothing for the others.
 *
 * The first attempt at a healthy endpoint begins within `startsWithinMs` of being published, or of the end of faults in the workers,
 * their clocks or the store, whatever the other receivers do. No request occupies a slot for longer than the timeout, and there are
 * never more requests than slots.
 */
export function isolation(observed: Observed): Judge {
  const waiting = new Set<ObservedDelivery>()
  let seen = 0

  /** The time from which it could be sent: it is due, not leased, and there is no fault. */
  function readyMs(delivery: ObservedDelivery): number {
    const { row, publishedMs } = delivery
    const endpoint = observed.endpoints.get(row.endpointId)!
    const calmSinceMs = observed.calmSinceMs(endpoint.row.organizationId)
    const dueMs = toWorldMs(observed, row, row.nextAttemptAt!)
    return Math.max(publishedMs, endpoint.changedMs, leaseOverMs(observed, delivery), dueMs, calmSinceMs)
  }

  function judgeWaiting(delivery: ObservedDelivery): string | undefined {
    const { row, requests } = delivery
    const isOver = row.state !== 'pending' || requests.length > 0
    if (isOver) waiting.delete(delivery)
    const isSendable = canEnd(observed, row.endpointId) && observed.endpoints.get(row.endpointId)!.row.state === 'enabled'
    if (isOver || !isSendable || observed.nowMs() - delivery.publishedMs <= startsWithinMs) return undefined
    const lateMs = observed.nowMs() - readyMs(delivery)
    if (lateMs <= startsWithinMs) return undefined
    return `${row.id} for the healthy ${row.endpointId} is not begun after ${lateMs} ms`
  }

  /** The oldest open request; the others have more time left. */
  function judgeOldest(): string | undefined {
    for (const { machine, endpoint, attemptBeganMs } of observed.openRequests) {
      if (machine.last.stallMs >= attemptBeganMs) continue
      const openMs = observed.nowMs() - attemptBeganMs
      if (openMs <= deliveryDeadlineMs + roundingMs) return undefined
      return `a request of ${machine.id} to ${endpoint?.plan.id} is open for ${openMs} ms`
    }
    return undefined
  }

  function judgePlaces(request: ObservedRequest): string | undefined {
    const ofMachine = [...observed.openRequests].filter(({ machine }) => machine === request.machine)
    const ofEndpoint = ofMachine.filter(({ endpoint }) => endpoint === request.endpoint)
    const { id } = request.machine
    if (ofEndpoint.length >= allowanceMax) return `${id} has more than ${ofEndpoint.length} requests to one endpoint in flight`
    if (ofMachine.length >= observed.inFlightMax) return `${id} has more than ${ofMachine.length} requests in flight`
    return undefined
  }

  function takeNewDeliveries() {
    if (observed.deliveries.size === seen) return
    for (const delivery of [...observed.deliveries.values()].slice(seen)) {
      const { isHealthy } = observed.endpoints.get(delivery.row.endpointId)!.plan
      // In order, one may wait for another; the seventh and eighth invariants judge those.
      if (isHealthy && delivery.row.state === 'pending' && delivery.row.orderKey === null) waiting.add(delivery)
    }
    seen = observed.deliveries.size
  }

  return {
    invariant: 6,
    requested: judgePlaces,
    stepped() {
      takeNewDeliveries()
      return firstOf(waiting, judgeWaiting) ?? judgeOldest()
    },
  }
}
