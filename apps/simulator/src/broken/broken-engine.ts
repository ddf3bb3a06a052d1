import type { Breakage } from '../run.ts'
import type { Invariant } from '../world/observed.ts'

/** An engine with one deliberate fault, and the invariants that detect it. They test the simulator itself. */
export interface BrokenEngine extends Breakage {
  name: string
  /** Any of these may be the first to detect it. */
  noticedBy: readonly Invariant[]
}
