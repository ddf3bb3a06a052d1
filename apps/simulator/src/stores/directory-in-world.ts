import { beginMove, cancelMove, type MoveStep, noteStep } from '@querypost/server/background-work'
import type { DirectoryEntry, Move } from '@querypost/server/model'

/** The directory: the store of every organization, and its moves. */
export interface DirectoryInWorld {
  get(organizationId: string): DirectoryEntry
  openMoves(): { organizationId: string; move: Move }[]
  /** Each returns whether it changed the entry. */
  begin(organizationId: string, toStoreId: string): boolean
  cancel(organizationId: string): boolean
  note(organizationId: string, move: Move, steps: readonly MoveStep[]): boolean
  /** When the organization's last move ended, or its new store went to work. */
  movedMs(organizationId: string): number
}

export function makeDirectory(options: { storeOf: ReadonlyMap<string, string>; nowMs(): number }): DirectoryInWorld {
  const entries = new Map<string, DirectoryEntry>()
  const movedMs = new Map<string, number>()
  for (const [organizationId, storeId] of options.storeOf) entries.set(organizationId, { storeId, moveNumber: 0, move: null })

  function set(organizationId: string, entry: DirectoryEntry | undefined): boolean {
    if (!entry) return false
    entries.set(organizationId, entry)
    if (!entry.move || entry.move.step === 'remove') movedMs.set(organizationId, options.nowMs())
    return true
  }

  const get = (organizationId: string) => entries.get(organizationId)!
  return {
    get,
    openMoves: () => [...entries].flatMap(([organizationId, { move }]) => (move ? [{ organizationId, move }] : [])),
    begin: (organizationId, toStoreId) => set(organizationId, beginMove(get(organizationId), toStoreId)),
    cancel: (organizationId) => set(organizationId, cancelMove(get(organizationId))),
    note: (organizationId, move, steps) =>
      set(organizationId, noteStep(get(organizationId), move, steps.some(({ name }) => name === move.step) ? steps : undefined)),
    movedMs: (organizationId) => movedMs.get(organizationId) ?? -Infinity,
  }
}
