import { deliveryAttemptsMax, deliveryDeadlineMs, deliveryJitterShareMax, deliveryLeaseMs, deliveryWaitsMs } from '@querypost/server/background-work'
import { wallOffsetMaxMs } from '../world/faults.ts'
import type { Judge, Observed } from '../world/observed.ts'
import { canEnd } from './1-reaches-its-end.ts'

/**
 * 7. When faults stop, the backlog drains.
 *
 * The limit allows for all waits in full, a lease left by a dead worker, a due time from a wrong clock, and for a hanging backlog the
 * timeouts of all attempts one after another. In order, the waits of one event follow those of the one before it.
 */
export function drainedWithinMs(observed: Observed): number {
  const waitsInAllMs = deliveryWaitsMs.reduce((sum, waitMs) => sum + waitMs, 0) * (1 + deliveryJitterShareMax)
  const perLane = new Map<string, number>()
  for (const { row } of observed.deliveries.values()) perLane.set(row.endpointId, (perLane.get(row.endpointId) ?? 0) + 1)
  const longestLane = Math.max(0, ...perLane.values())
  const eachMs = deliveryDeadlineMs + 5_000
  const perKey = new Map<string, number>()
  for (const { row } of observed.deliveries.values()) {
    const key = `${row.endpointId} ${row.orderKey}`
    if (row.orderKey !== null) perKey.set(key, (perKey.get(key) ?? 0) + 1)
  }
  const waitCount = Math.max(1, ...perKey.values())
  return waitCount * waitsInAllMs + deliveryAttemptsMax * (longestLane * eachMs + deliveryLeaseMs) + 2 * wallOffsetMaxMs + 600_000
}

export function isDrained(observed: Observed): boolean {
  for (const { row } of observed.deliveries.values()) {
    if (row.state === 'pending' && canEnd(observed, row.endpointId)) return false
  }
  return observed.openRequests.size === 0
}

export function backlogDrains(observed: Observed): Judge {
  return {
    invariant: 7,
    ended() {
      if (isDrained(observed)) return undefined
      const left = [...observed.deliveries.values()].filter(
        ({ row }) => row.state === 'pending' && canEnd(observed, row.endpointId),
      )
      const hours = Math.round((observed.nowMs() - observed.troubleEndsMs) / 360_000) / 10
      const open = observed.openRequests.size
      const what = `${left.length} deliveries are pending and ${open} requests are open`
      return `${hours} hours after the last fault ${what}; the first is ${left[0]?.row.id}`
    },
  }
}
