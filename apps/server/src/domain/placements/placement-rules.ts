import type { Placement, PlacementState } from '../../model/placement.ts'

/** `claim`: take work and lease it. `record`: write under a lease. `write`: everything else that changes rows of the organization. */
export type PlacedOperation = 'read' | 'write' | 'claim' | 'record'

const permitted: Record<PlacementState, readonly PlacedOperation[]> = {
  active: ['read', 'write', 'claim', 'record'],
  // Work in progress may end. No new work begins, so that all leases end.
  draining: ['read', 'write', 'record'],
  frozen: ['read'],
  closed: [],
  arriving: [],
  absent: [],
}

/** Whether a store may do this for an organization that it has in this state. */
export const permits = (state: PlacementState, operation: PlacedOperation): boolean => permitted[state].includes(operation)

export const notPlaced: Placement = { state: 'absent', moveNumber: 0 }
