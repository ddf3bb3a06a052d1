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
  /** For one that takes many seeds: where the search begins, so that a test is short. It moves with the plans of the worlds. */
  nearSeed?: number
}
