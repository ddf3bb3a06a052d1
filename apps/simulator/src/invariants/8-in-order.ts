import type { DeliveryRow } from '@querypost/server/testing'
import type { Commit, Judge, Observed, ObservedDelivery } from '../world/observed.ts'
import { firstOf } from './1-reaches-its-end.ts'

/**
 * 8. An endpoint that receives events in order gets those of a key one after the other.
 *
 * No delivery is claimed while an earlier one of its key is pending, and no attempt begins before the earlier ones have ended: delivered,
 * given up, or held. So the first successful arrivals of a key follow the order of its events. A delivery that was held for a while may
 * return behind one that is already being sent. Only a delivery with a pending one before it is parked.
 */
export function inOrder(observed: Observed): Judge {
  /** In the order of their numbers. */
  const byKey = new Map<string, ObservedDelivery[]>()
  /** The highest number of each key that has arrived. */
  const arrivedNumbers = new Map<string, number>()
  const onceHeld = new Set<string>()
  let seen = 0

  function takeNewDeliveries() {
    if (observed.deliveries.size === seen) return
    for (const delivery of [...observed.deliveries.values()].slice(seen)) {
      if (delivery.row.orderKey === null) continue
      const ofKey = byKey.get(keyOf(delivery)) ?? []
      byKey.set(keyOf(delivery), ofKey)
      ofKey.push(delivery)
    }
    seen = observed.deliveries.size
  }

  /** A pending one before it. */
  function earlierOf(delivery: ObservedDelivery): ObservedDelivery | undefined {
    const { orderKey, orderNumber } = delivery.row
    const ofKey = orderKey === null ? [] : (byKey.get(keyOf(delivery)) ?? [])
    return ofKey.find(({ row }) => row.state === 'pending' && row.orderKey === orderKey && row.orderNumber! < orderNumber!)
  }

  function judgeChange({ before, after }: Commit['changes'][number]): string | undefined {
    if (!before || !after) return undefined
    const delivery = observed.deliveries.get(after.id)!
    const earlier = earlierOf(delivery)
    if (isParked(after) && !isParked(before) && !earlier) return `${after.id} is parked although it is the first of ${keyOf(delivery)}`
    if (after.leaseNumber === before.leaseNumber) return undefined
    return earlier && `${after.id} is claimed although ${earlier.row.id}, an earlier one of ${keyOf(delivery)}, is pending`
  }

  return {
    invariant: 8,
    committed(commit) {
      takeNewDeliveries()
      for (const { after } of commit.changes) if (after?.state === 'held') onceHeld.add(after.id)
      return firstOf(commit.changes, judgeChange)
    },
    requested({ delivery }) {
      if (!delivery) return undefined
      takeNewDeliveries()
      const earlier = earlierOf(delivery)
      if (!earlier || onceHeld.has(earlier.row.id)) return undefined
      return `${delivery.row.id} is sent before ${earlier.row.id}, an earlier one of ${keyOf(delivery)}, has ended`
    },
    arrived({ delivery }) {
      if (!delivery || delivery.row.orderKey === null) return undefined
      const { id, state, orderNumber } = delivery.row
      const lastNumber = arrivedNumbers.get(keyOf(delivery)) ?? 0
      arrivedNumbers.set(keyOf(delivery), Math.max(lastNumber, orderNumber!))
      // A request of a worker that was stalled may arrive again after the delivery has ended.
      const isFirst = delivery.requests.filter(({ arrivedMs }) => arrivedMs !== undefined).length <= 1
      if (!isFirst || state !== 'pending' || onceHeld.has(id) || orderNumber! > lastNumber) return undefined
      return `${id} arrives first after a later one of ${keyOf(delivery)}`
    },
  }
}

/** Not due before its turn. The store in memory needs no such mark. */
export const isParked = ({ state, nextAttemptAt }: DeliveryRow) => state === 'pending' && nextAttemptAt === null

const keyOf = ({ row }: ObservedDelivery) => `${row.endpointId} ${row.orderKey}`
