import { type Chance, makeChance } from './chance.ts'
import type { Coverage } from './coverage.ts'
import type { DeliveriesInWorld } from './store/deliveries-in-world.ts'
import { memoryDeliveries } from './store/memory-deliveries.ts'
import { makeMemoryRows } from './store/memory-rows.ts'
import type { MemoryRules } from './store/memory-store.ts'
import type { WorkRules } from './store/memory-work.ts'
import { memoryWork } from './store/work-in-world.ts'
import { makeStoresPlan } from './stores/stores-plan.ts'
import { soundStoresRules, type StoresRules } from './stores/stores-rules.ts'
import { runStoresWorld } from './stores/stores-world.ts'
import { makePlan } from './world/plan.ts'
import { makeWorkPlan } from './world/work-plan.ts'
import { runWorld, type PortOverrides, type WorldReport } from './world/world.ts'

/** The deliberate fault of a broken engine, at its ports, in its store, or both. */
export interface Breakage {
  /** Rules of the delivery store. */
  spoil?: PortOverrides['deliveries']
  /** Rules of the other stores. */
  spoils?: Omit<PortOverrides, 'deliveries'>
  rules?: MemoryRules
  workRules?: Partial<WorkRules>
  /** Rules of placements and moves. The world then has several stores. */
  storesRules?: Partial<StoresRules>
}

export interface RunOptions {
  seed: number
  coverage: Coverage
  /** A store for a run with deliveries only. Without it, the run has all kinds of work, in memory. */
  deliveries?: DeliveriesInWorld | undefined
  breakage?: Breakage | undefined
  /** Whether the world has several stores, with deliveries only. */
  hasSeveralStores?: boolean | undefined
  /** See `WorldOptions`. */
  stepsMax?: number | undefined
  trace?: ((line: string) => void) | undefined
}

/** Runs the world of a seed. */
export async function runSeed(options: RunOptions): Promise<WorldReport> {
  const { seed, coverage, breakage, stepsMax, trace } = options
  const chance = makeChance(`seed ${seed}`)
  if (options.hasSeveralStores || breakage?.storesRules) return runStoresSeed(options, chance)
  const plan = makePlan(chance.fork('plan'), { isSmall: options.deliveries !== undefined })
  if (trace) trace(JSON.stringify(plan, null, 1))
  const spoils: PortOverrides = { ...breakage?.spoils, ...(breakage?.spoil && { deliveries: breakage.spoil }) }
  if (options.deliveries) return runWorld({ plan, chance, coverage, deliveries: options.deliveries, spoils, stepsMax, trace })
  const rows = makeMemoryRows()
  const random = chance.fork('store')
  const deliveries = memoryDeliveries({ random, rows, ...(breakage?.rules && { rules: breakage.rules }) })
  const workPlan = makeWorkPlan(chance.fork('work plan'), plan)
  if (trace) trace(JSON.stringify(workPlan, null, 1))
  const work = { store: memoryWork({ rows, random: chance.fork('work'), rules: breakage?.workRules }), plan: workPlan }
  work.store.tables.areResultsKept = workPlan.areResultsKept
  work.store.tables.areChangesPublished = workPlan.areResultsKept && workPlan.areChangesPublished
  return runWorld({ plan, chance, coverage, deliveries, work, spoils, stepsMax, trace })
}

function runStoresSeed({ coverage, breakage, stepsMax, trace }: RunOptions, chance: Chance): Promise<WorldReport> {
  const plan = makeStoresPlan(chance.fork('stores plan'))
  if (trace) trace(JSON.stringify(plan, null, 1))
  return runStoresWorld({ plan, chance, coverage, rules: { ...soundStoresRules, ...breakage?.storesRules }, stepsMax, trace })
}
