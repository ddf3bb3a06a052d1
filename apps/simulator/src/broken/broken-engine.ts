import type { Breakage } from '../run.ts'
import type { Invariant } from '../world/observed.ts'

/**
 * An engine with one deliberate fault, and the invariants that notice it. A simulator that finds none of these finds
 * nothing.
 */
export interface BrokenEngine extends Breakage {
  name: string
  /** Any of these may be the first to notice. */
  noticedBy: readonly Invariant[]
}
