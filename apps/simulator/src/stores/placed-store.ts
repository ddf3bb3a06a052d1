import { isReadyToCopy, type MoveStep, NotPlacedHere, notPlaced, type PlacedOperation } from '@querypost/server/background-work'
import type { Placement } from '@querypost/server/model'
import type { Random } from '@querypost/server/ports'
import { StoreUnavailable } from '@querypost/server/store'
import type { DeliveriesInWorld, OpenPublication } from '../store/deliveries-in-world.ts'
import { memoryDeliveries } from '../store/memory-deliveries.ts'
import { makeMemoryRows, type MemoryDelivery, type MemoryEndpoint, type MemoryRows } from '../store/memory-rows.ts'
import { soundRules } from '../store/memory-store.ts'
import type { Machine } from '../world/machine.ts'
import type { StoresRules } from './stores-rules.ts'

/** The rows of one organization. */
export interface OrganizationRows {
  endpoints: MemoryEndpoint[]
  deliveries: MemoryDelivery[]
}

/** An open transaction of an API process. */
export interface OpenWrite {
  machine: Machine
  organizationId: string
  publication: OpenPublication
}

/** One of several stores: the delivery store in memory, which judges every request by the organization's placement. */
export interface PlacedStore {
  id: string
  rows: MemoryRows
  deliveries: DeliveriesInWorld
  placements: Map<string, Placement>
  /** Throws if the placement doesn't permit it. */
  require(organizationId: string, operation: PlacedOperation): void
  begin(write: OpenWrite): void
  /** Throws if the transaction has ended with its connection. */
  commit(write: OpenWrite): Promise<void>
  /** Ends transactions without a commit. */
  rollBack(isLost: (write: OpenWrite) => boolean): void
  rowsOf(organizationId: string): OrganizationRows
  /** The rows to copy, or undefined if they may still change. */
  readToCopy(organizationId: string, moveNumber: number): OrganizationRows | undefined
  /** One step of a move, in one transaction. */
  step(options: { organizationId: string; step: MoveStep; moveNumber: number; rows?: OrganizationRows | undefined }): 'done' | 'busy' | 'late'
}

export function makePlacedStore({ id, random, rules }: { id: string; random: Random; rules: StoresRules }): PlacedStore {
  const rows = makeMemoryRows()
  const placements = new Map<string, Placement>()
  const openWrites = new Set<OpenWrite>()
  const placementOf = (organizationId: string) => placements.get(organizationId) ?? notPlaced
  const isPermitted = ({ endpointId }: Pick<MemoryDelivery, 'endpointId'>, operation: PlacedOperation) =>
    rules.permits(placementOf(rows.endpoints.get(endpointId)!.organizationId).state, operation)

  const deliveries = memoryDeliveries({
    random,
    rows,
    rules: {
      ...soundRules,
      isFree: (delivery, now) => isPermitted(delivery, 'claim') && soundRules.isFree(delivery, now),
      isOrphaned: (delivery, goneWorkers) => isPermitted(delivery, 'claim') && soundRules.isOrphaned(delivery, goneWorkers),
      isUnderItsLease: (delivery, record) => isPermitted(delivery, 'record') && soundRules.isUnderItsLease(delivery, record),
    },
  })
  const { store } = deliveries
  const isHere = ({ id: deliveryId }: { id: string }) => {
    const delivery = rows.deliveries.get(deliveryId)
    return delivery !== undefined && isPermitted(delivery, 'record')
  }

  function rowsOf(organizationId: string): OrganizationRows {
    const endpoints = [...rows.endpoints.values()].filter((endpoint) => endpoint.organizationId === organizationId)
    const ids = new Set(endpoints.map((endpoint) => endpoint.id))
    return { endpoints, deliveries: [...rows.deliveries.values()].filter(({ endpointId }) => ids.has(endpointId)) }
  }

  function remove(organizationId: string) {
    const old = rowsOf(organizationId)
    for (const delivery of old.deliveries) rows.remove(delivery)
    for (const endpoint of old.endpoints) {
      rows.endpoints.delete(endpoint.id)
      rows.lanes.delete(endpoint.id)
    }
  }

  function add(copied: OrganizationRows) {
    for (const endpoint of copied.endpoints) rows.endpoints.set(endpoint.id, rules.copyEndpoint(endpoint))
    for (const delivery of copied.deliveries) rows.insert(rules.copyDelivery(delivery))
    const numbers = copied.deliveries.map(({ orderNumber }) => orderNumber ?? 0)
    if (rules.isOrderContinued) rows.orderNumber = Math.max(rows.orderNumber, ...numbers)
  }

  function isBusy(organizationId: string): boolean {
    const isWritten = [...openWrites].some((write) => write.organizationId === organizationId)
    const isLeased = rowsOf(organizationId).deliveries.some(({ leaseExpiresAt }) => leaseExpiresAt !== null && leaseExpiresAt > rows.now)
    return (rules.areWritersAwaited && isWritten) || (rules.areLeasesAwaited && isLeased)
  }

  return {
    id,
    rows,
    placements,
    rowsOf,
    deliveries: { ...deliveries, store: { ...store, release: (released) => store.release(released.filter(isHere)) } },
    require(organizationId, operation) {
      const { state } = placementOf(organizationId)
      if (!rules.permits(state, operation)) throw new NotPlacedHere(`${organizationId} is ${state} on ${id}`)
    },
    begin: (write) => void openWrites.add(write),
    async commit(write) {
      if (!openWrites.delete(write)) throw new StoreUnavailable('the connection is lost')
      await write.publication.commit()
    },
    rollBack(isLost) {
      for (const write of openWrites) if (isLost(write)) openWrites.delete(write)
    },
    readToCopy(organizationId, moveNumber) {
      if (!isReadyToCopy(placementOf(organizationId), moveNumber)) return undefined
      return structuredClone(rowsOf(organizationId))
    },
    step({ organizationId, step, moveNumber, rows: copied }) {
      const after = rules.applyStep(placementOf(organizationId), step, moveNumber)
      if (!after) return 'late'
      if (step.name === 'freeze' && isBusy(organizationId)) return 'busy'
      placements.set(organizationId, after)
      if (step.to === 'absent' || step.name === 'copy') remove(organizationId)
      if (copied) add(copied)
      return 'done'
    },
  }
}
