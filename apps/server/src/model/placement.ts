/**
 * Where an organization is, if there are several stores.
 *
 * The *directory* names the store of each organization. Each store keeps a *placement* for every organization that it has, had or is
 * about to get, and judges every request by it in the transaction of the request. So a process with an outdated directory entry is
 * rejected, and can't read or write rows in the wrong place. A *move* brings an organization to another store in steps.
 */
export const placementStates = ['active', 'draining', 'frozen', 'closed', 'arriving', 'absent'] as const
export type PlacementState = (typeof placementStates)[number]

export interface Placement {
  state: PlacementState
  /** The last move that changed it. Steps of earlier moves come too late. */
  moveNumber: number
}

/** An organization in the directory. */
export interface DirectoryEntry {
  storeId: string
  /** The last move. Numbers of an organization increase. */
  moveNumber: number
  move: Move | null
}

export interface Move {
  number: number
  fromStoreId: string
  toStoreId: string
  /** The next step. */
  step: MoveStepName
}

export type MoveStepName = 'drain' | 'freeze' | 'receive' | 'copy' | 'close' | 'switch' | 'open' | 'remove' | 'clear' | 'resume'
