import { makeCoverage } from '../coverage.ts'
import { runSeed } from '../run.ts'
import type { Invariant } from '../world/observed.ts'
import type { BrokenEngine } from './broken-engine.ts'

export interface Found {
  seed: number
  invariant: Invariant
  message: string
  stepCount: number
}

/** The first seed that detects the fault of an engine, starting at `fromSeed`; lower seeds come last. */
export async function findCatchingSeed(
  engine: BrokenEngine,
  { seedsMax, fromSeed = 1 }: { seedsMax: number; fromSeed?: number | undefined },
): Promise<Found | undefined> {
  for (let count = 0; count < seedsMax; count++) {
    const found = await tryToCatch(engine, 1 + ((fromSeed - 1 + count) % seedsMax))
    if (found) return found
  }
  return undefined
}

/** Of `first` and the seeds 1 to `amongSeeds`, the one that detects the fault in the fewest steps. */
export async function findQuickestSeed(
  engine: BrokenEngine,
  { first, amongSeeds }: { first: Found; amongSeeds: number },
): Promise<Found> {
  let best = first
  for (let seed = first.seed + 1; seed <= amongSeeds; seed++) {
    const found = await tryToCatch(engine, seed, best.stepCount)
    if (found && engine.noticedBy.includes(found.invariant)) best = found
  }
  return best
}

async function tryToCatch(engine: BrokenEngine, seed: number, stepsMax?: number): Promise<Found | undefined> {
  const { violation, stepCount } = await runSeed({ seed, coverage: makeCoverage(), breakage: engine, stepsMax })
  // A world that was ended early has unfinished work, which is not a violation.
  if (!violation || (stepsMax !== undefined && stepCount >= stepsMax)) return undefined
  return { seed, invariant: violation.invariant, message: violation.message, stepCount }
}
