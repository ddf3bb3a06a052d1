import { makeCoverage } from '../coverage.ts'
import { runSeed } from '../run.ts'
import type { Invariant } from '../world/observed.ts'
import type { BrokenEngine } from './broken-engine.ts'

export interface Found {
  seed: number
  invariant: Invariant
  message: string
}

/** The first seed that notices what is wrong with an engine, from `fromSeed` on; those before it come last. */
export async function findCatchingSeed(
  engine: BrokenEngine,
  { seedsMax, fromSeed = 1 }: { seedsMax: number; fromSeed?: number | undefined },
): Promise<Found | undefined> {
  for (let count = 0; count < seedsMax; count++) {
    const seed = 1 + ((fromSeed - 1 + count) % seedsMax)
    const { violation } = await runSeed({ seed, coverage: makeCoverage(), breakage: engine })
    if (violation) return { seed, invariant: violation.invariant, message: violation.message }
  }
  return undefined
}
