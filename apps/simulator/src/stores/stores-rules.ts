import { applyStep, makeDirectoryCache, type MoveStep, moveSteps, permits, type PlacedOperation } from '@querypost/server/background-work'
import type { PlacementState } from '@querypost/server/model'
import { type MemoryDelivery, type MemoryEndpoint, unleased } from '../store/memory-rows.ts'

/** Rules of placements and moves that broken variants change. The sound ones are the service's. */
export interface StoresRules {
  permits(state: PlacementState, operation: PlacedOperation): boolean
  applyStep: typeof applyStep
  /** In the order in which a move does them. */
  steps: readonly MoveStep[]
  /** Whether a store becomes read-only only after all leases of the organization have ended. */
  areLeasesAwaited: boolean
  /** Whether open transactions of the organization end before it becomes read-only. */
  areWritersAwaited: boolean
  copyDelivery(delivery: MemoryDelivery): MemoryDelivery
  copyEndpoint(endpoint: MemoryEndpoint): MemoryEndpoint
  /** Whether the target's numbers continue after those of the copied deliveries. */
  isOrderContinued: boolean
  makeDirectoryCache: typeof makeDirectoryCache
  /** Whether an API process handles requests one after the other. */
  isApiSequential: boolean
}

export const soundStoresRules: StoresRules = {
  permits,
  applyStep,
  steps: moveSteps,
  areLeasesAwaited: true,
  areWritersAwaited: true,
  // All leases have ended. The number stays, so that a worker of the source can't record at the target either.
  copyDelivery: (delivery) => ({ ...delivery, ...unleased }),
  copyEndpoint: (endpoint) => ({ ...endpoint }),
  isOrderContinued: true,
  makeDirectoryCache,
  isApiSequential: false,
}
