import type { DirectoryEntry, Move, MoveStepName, Placement, PlacementState } from '../../model/placement.ts'

/**
 * The steps of a move. Each is one transaction at one place, and may be repeated: a process that stops in the middle is continued by any
 * other, and two may work on the same move.
 *
 * The source stops claiming (*drain*), and when no lease is left it becomes read-only (*freeze*). The target gets the rows (*receive*,
 * *copy*). The source stops answering (*close*) before the directory names the target (*switch*), so nobody reads old rows afterwards, and
 * the rest of the move doesn't have to wait for the source. Then the target goes to work (*open*), and the source's rows are deleted
 * (*remove*). Until the switch, a move can be canceled: the target's rows are deleted (*clear*), and the source goes on (*resume*).
 */
export interface MoveStep {
  name: MoveStepName
  at: 'source' | 'target' | 'directory'
  /** The states of the placement in which the step can be done; none for the directory. */
  from: readonly PlacementState[]
  to: PlacementState | null
  /** The step that begins with a placement of an earlier move. */
  isFirstThere?: true
}

export const moveSteps: readonly MoveStep[] = [
  { name: 'drain', at: 'source', from: ['active'], to: 'draining', isFirstThere: true },
  { name: 'freeze', at: 'source', from: ['draining'], to: 'frozen' },
  { name: 'receive', at: 'target', from: ['absent'], to: 'arriving', isFirstThere: true },
  { name: 'copy', at: 'target', from: ['arriving'], to: 'arriving' },
  { name: 'close', at: 'source', from: ['frozen'], to: 'closed' },
  { name: 'switch', at: 'directory', from: [], to: null },
  { name: 'open', at: 'target', from: ['arriving'], to: 'active' },
  { name: 'remove', at: 'source', from: ['closed'], to: 'absent' },
]

export const cancelSteps: readonly MoveStep[] = [
  { name: 'clear', at: 'target', from: ['absent', 'arriving'], to: 'absent', isFirstThere: true },
  { name: 'resume', at: 'source', from: ['active', 'draining', 'frozen', 'closed'], to: 'active', isFirstThere: true },
]

export const stepsOf = (name: MoveStepName): readonly MoveStep[] =>
  cancelSteps.some((step) => step.name === name) ? cancelSteps : moveSteps

export const getStep = (name: MoveStepName): MoveStep => stepsOf(name).find((step) => step.name === name)!

/**
 * The placement after a step of the move with this number, or undefined if the step comes too late: the organization has moved on, or the
 * move was canceled.
 */
export function applyStep(placement: Placement, step: MoveStep, moveNumber: number): Placement | undefined {
  if (step.to === null) return undefined
  const after: Placement = { state: step.to, moveNumber }
  if (placement.moveNumber > moveNumber) return undefined
  if (placement.moveNumber < moveNumber) return step.isFirstThere && step.from.includes(placement.state) ? after : undefined
  if (placement.state === step.to) return placement
  // A move that was canceled or has ended doesn't begin again.
  const isBeginning = step.name === 'drain' || step.name === 'receive'
  return !isBeginning && step.from.includes(placement.state) ? after : undefined
}

/** Whether the source's rows are complete and can't change any more. */
export const isReadyToCopy = ({ state, moveNumber }: Placement, number: number): boolean =>
  moveNumber === number && (state === 'frozen' || state === 'closed')

export function beginMove(entry: DirectoryEntry, toStoreId: string): DirectoryEntry | undefined {
  if (entry.move || entry.storeId === toStoreId) return undefined
  const number = entry.moveNumber + 1
  return { ...entry, moveNumber: number, move: { number, fromStoreId: entry.storeId, toStoreId, step: 'drain' } }
}

/** The entry after a step was done, or undefined if somebody else has already noted it. `steps`: in their order. */
export function noteStep(
  entry: DirectoryEntry,
  { number, step }: Pick<Move, 'number' | 'step'>,
  steps: readonly MoveStep[] = stepsOf(step),
): DirectoryEntry | undefined {
  const { move } = entry
  if (move?.number !== number || move.step !== step) return undefined
  const next = steps[steps.findIndex(({ name }) => name === step) + 1]
  const storeId = step === 'switch' ? move.toStoreId : entry.storeId
  return { ...entry, storeId, move: next ? { ...move, step: next.name } : null }
}

/** The entry of a canceled move, or undefined if there is none to cancel. */
export function cancelMove(entry: DirectoryEntry): DirectoryEntry | undefined {
  const { move } = entry
  const isStoppable = move && entry.storeId === move.fromStoreId && stepsOf(move.step) === moveSteps
  return isStoppable ? { ...entry, move: { ...move, step: cancelSteps[0]!.name } } : undefined
}
