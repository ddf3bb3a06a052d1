import { makeChance } from './chance.ts'
import type { Coverage } from './coverage.ts'
import type { DeliveriesInWorld } from './store/deliveries-in-world.ts'
import { memoryDeliveries } from './store/memory-deliveries.ts'
import type { MemoryRules } from './store/memory-store.ts'
import { makePlan } from './world/plan.ts'
import { runWorld, type Spoil, type WorldReport } from './world/world.ts'

/** An engine that is wrong on purpose: what it does differently at its ports, in its store, or both. */
export interface Breakage {
  spoil?: Spoil
  rules?: MemoryRules
}

export interface RunOptions {
  seed: number
  coverage: Coverage
  /** Without one, the run has a store in memory. */
  deliveries?: DeliveriesInWorld | undefined
  breakage?: Breakage | undefined
  trace?: ((line: string) => void) | undefined
}

/** One seed, one world, one run. */
export async function runSeed(options: RunOptions): Promise<WorldReport> {
  const { seed, coverage, breakage, trace } = options
  const chance = makeChance(`seed ${seed}`)
  const plan = makePlan(chance.fork('plan'), { isSmall: options.deliveries !== undefined })
  const deliveries =
    options.deliveries ?? memoryDeliveries({ random: chance.fork('store'), ...(breakage?.rules && { rules: breakage.rules }) })
  if (trace) trace(JSON.stringify(plan, null, 1))
  return runWorld({ plan, chance, coverage, deliveries, spoil: breakage?.spoil, trace })
}
