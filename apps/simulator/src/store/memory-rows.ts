import type { Attempt } from '@querypost/server/model'
import type { DeliveryRow, EndpointRow, NewEndpoint, NotificationRow } from '@querypost/server/testing'

/** The content of the memory store: tables, and the lanes of deliveries. */
export interface MemoryDelivery extends Omit<DeliveryRow, 'attemptsLogged'> {
  attempts: Attempt[]
  body: string
}

export interface MemoryEndpoint extends NewEndpoint, EndpointRow {}

export interface MemoryRows {
  /** The store's time. */
  now: Date
  switchedOff: Set<string>
  endpoints: Map<string, MemoryEndpoint>
  deliveries: Map<string, MemoryDelivery>
  /** Pending deliveries by endpoint, in due order. */
  lanes: Map<string, MemoryDelivery[]>
  notifications: NotificationRow[]
  notify(notification: NotificationRow): void
  /** Deliveries written since the last look. */
  written: Set<string>
  /** The last number of a delivery in order. */
  orderNumber: number
  write(delivery: MemoryDelivery, change: Partial<MemoryDelivery>): void
  remove(delivery: MemoryDelivery): void
  insert(delivery: MemoryDelivery): void
}

export function makeMemoryRows(): MemoryRows {
  const lanes = new Map<string, MemoryDelivery[]>()

  function leaveLane(delivery: MemoryDelivery) {
    const lane = lanes.get(delivery.endpointId)
    const index = lane?.indexOf(delivery) ?? -1
    if (index >= 0) lane!.splice(index, 1)
  }

  function joinLane(delivery: MemoryDelivery) {
    const lane = lanes.get(delivery.endpointId) ?? []
    lanes.set(delivery.endpointId, lane)
    const before = lane.findLastIndex(({ nextAttemptAt }) => nextAttemptAt! <= delivery.nextAttemptAt!)
    lane.splice(before + 1, 0, delivery)
  }

  const rows: MemoryRows = {
    now: new Date(0),
    switchedOff: new Set(),
    endpoints: new Map(),
    deliveries: new Map(),
    lanes,
    notifications: [],
    notify: (notification) => void rows.notifications.push(notification),
    written: new Set(),
    orderNumber: 0,
    write(delivery, change) {
      const isMoved = change.state !== undefined || change.nextAttemptAt !== undefined
      if (isMoved) leaveLane(delivery)
      Object.assign(delivery, change)
      if (isMoved && delivery.state === 'pending') joinLane(delivery)
      rows.written.add(delivery.id)
    },
    remove(delivery) {
      rows.deliveries.delete(delivery.id)
      leaveLane(delivery)
      rows.written.add(delivery.id)
    },
    insert(delivery) {
      rows.deliveries.set(delivery.id, delivery)
      rows.write(delivery, { state: delivery.state })
    },
  }
  return rows
}

export const unleased = { leaseOwner: null, leaseExpiresAt: null } as const

export const presentDelivery = ({ attempts, body: _, ...row }: MemoryDelivery): DeliveryRow => ({
  ...row,
  attemptsLogged: attempts.length,
})
