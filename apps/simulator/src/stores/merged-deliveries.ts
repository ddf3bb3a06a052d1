import type { DeliveriesInWorld } from '../store/deliveries-in-world.ts'
import { presentDelivery } from '../store/memory-rows.ts'
import type { DirectoryInWorld } from './directory-in-world.ts'
import type { PlacedStore } from './placed-store.ts'

/** A row that was written at a store other than the organization's. */
export interface Stray {
  storeId: string
  organizationId: string
  deliveryId: string
}

/**
 * All stores as one: each organization has the rows of the store that the directory names. To the judges of deliveries, a move is
 * invisible if it loses and changes nothing.
 */
export function makeMergedDeliveries(options: {
  stores: ReadonlyMap<string, PlacedStore>
  directory: DirectoryInWorld
  organizationOf: ReadonlyMap<string, string>
  notifications: DeliveriesInWorld['notifications']
}) {
  const { stores, directory, organizationOf } = options
  /** The deliveries of each organization that were ever seen. */
  const seen = new Map<string, Set<string>>()
  const organizationOfDelivery = new Map<string, string>()
  const storeIds = new Map<string, string>()
  let strays: Stray[] = []
  const storeOf = (organizationId: string) => stores.get(directory.get(organizationId).storeId)!

  function take(store: PlacedStore, id: string): string {
    const delivery = store.rows.deliveries.get(id)
    const organizationId = organizationOfDelivery.get(id) ?? organizationOf.get(delivery!.endpointId)!
    organizationOfDelivery.set(id, organizationId)
    if (storeOf(organizationId) !== store) strays.push({ storeId: store.id, organizationId, deliveryId: id })
    else seen.set(organizationId, (seen.get(organizationId) ?? new Set()).add(id))
    return organizationId
  }

  return {
    /** Stray rows since the last call. */
    takeStrays() {
      const taken = strays
      strays = []
      return taken
    },
    deliveries: async () => [],
    writtenDeliveries() {
      const ids = new Map<string, PlacedStore>()
      for (const store of stores.values()) {
        for (const id of store.rows.written) if (storeOf(take(store, id)) === store) ids.set(id, store)
        store.rows.written.clear()
      }
      for (const organizationId of new Set(organizationOf.values())) {
        const store = storeOf(organizationId)
        const isMoved = (storeIds.get(organizationId) ?? store.id) !== store.id
        storeIds.set(organizationId, store.id)
        for (const id of isMoved ? (seen.get(organizationId) ?? []) : []) ids.set(id, store)
      }
      return [...ids].map(([id, store]) => {
        const delivery = store.rows.deliveries.get(id)
        return { id, row: delivery && presentDelivery(delivery) }
      })
    },
    async endpoints() {
      return [...organizationOf].flatMap(([endpointId, organizationId]) => {
        const endpoint = storeOf(organizationId).rows.endpoints.get(endpointId)
        if (!endpoint) return []
        const { id, state, consecutiveFailures, isDeleted } = endpoint
        return [{ id, organizationId, state, consecutiveFailures, isDeleted }]
      })
    },
    notifications: options.notifications,
  }
}
