import { leaseOverMs, toWorldMs } from '../invariants/6-isolation.ts'
import type { Observed } from './observed.ts'

/** The number of the first pending delivery of each key. The others wait for it. */
function firstOfKeys({ deliveries }: Observed): Map<string, number> {
  const heads = new Map<string, number>()
  for (const { row } of deliveries.values()) {
    if (row.state !== 'pending' || row.orderKey === null) continue
    const key = `${row.endpointId} ${row.orderKey}`
    heads.set(key, Math.min(heads.get(key) ?? Infinity, row.orderNumber!))
  }
  return heads
}

/** When a delivery is next due or claimable after `afterMs`, in the world's time. */
export function nextDeliveryDueMs(observed: Observed, afterMs: number): number {
  let earliestMs = Infinity
  const heads = firstOfKeys(observed)
  for (const delivery of observed.deliveries.values()) {
    const { row } = delivery
    if (row.state !== 'pending' || !row.nextAttemptAt) continue
    if (row.orderKey !== null && heads.get(`${row.endpointId} ${row.orderKey}`) !== row.orderNumber) continue
    const endpoint = observed.endpoints.get(row.endpointId)!.row
    if (endpoint.isDeleted || observed.isSwitchedOff(endpoint.organizationId)) continue
    const dueMs = Math.max(toWorldMs(observed, row, row.nextAttemptAt), leaseOverMs(observed, delivery))
    if (dueMs > afterMs) earliestMs = Math.min(earliestMs, dueMs)
  }
  return earliestMs
}
