import { makeCoverage } from '../coverage.ts'
import { runSeed } from '../run.ts'
import type { Invariant } from '../world/observed.ts'
import type { BrokenEngine } from './broken-engine.ts'

export interface Found {
  seed: number
  invariant: Invariant
  message: string
}

/** The first seed that notices what is wrong with an engine. */
export async function findCatchingSeed(engine: BrokenEngine, options: { seedsMax: number }): Promise<Found | undefined> {
  for (let seed = 1; seed <= options.seedsMax; seed++) {
    const { violation } = await runSeed({ seed, coverage: makeCoverage(), breakage: engine })
    if (violation) return { seed, invariant: violation.invariant, message: violation.message }
  }
  return undefined
}
