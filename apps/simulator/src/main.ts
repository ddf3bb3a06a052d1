import { parseArgs } from 'node:util'
import { brokenEngines } from './broken/all.ts'
import { findCatchingSeed, findQuickestSeed, type Found } from './broken/find.ts'
import { writeQuickSeeds } from './broken/quick-seeds.ts'
import { writeReadmeTable } from './broken/readme-table.ts'
import { expectedCoverage, makeCoverage, rareCoverage, storesCoverage } from './coverage.ts'
import { runSeed } from './run.ts'
import { openSqlPlace, type SqlPlace } from './store/sql-deliveries.ts'

/** `npm run simulate`. README.md explains the terms. */
const usage = `Usage:
  npm run simulate -- [--seeds 1000] [--from 1] [--store memory|sql]
  npm run simulate -- --seed 123 [--store memory|sql] [--trace]
  npm run simulate -- --stores [--seeds 1000] [--from 1] [--seed 123] [--trace]
  npm run simulate -- --broken [--write]`

/** After this many runs, everything must have happened once. On SQL the worlds are smaller and the runs fewer. */
const coverageExpectedFromSeeds = { memory: 1000, sql: Infinity }
const rareCoverageExpectedFromSeeds = { memory: 5000, sql: Infinity }
const seedsOfBroken = 400
/** How many seeds are searched for one that catches a broken engine in few steps. */
const quickSearchSeeds = 40

interface Arguments {
  seeds: number
  from: number
  store: 'memory' | 'sql'
  /** Worlds with several stores. */
  hasSeveralStores: boolean
  isTraced: boolean
  isBroken: boolean
  isWritten: boolean
}

const print = (line: string) => process.stdout.write(`${line}\n`)

function readArguments(): Arguments {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '1000' },
      from: { type: 'string', default: '1' },
      seed: { type: 'string' },
      store: { type: 'string', default: 'memory' },
      stores: { type: 'boolean', default: false },
      trace: { type: 'boolean', default: false },
      broken: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  })
  const isOne = values.seed !== undefined
  const seeds = isOne ? 1 : Number(values.seeds)
  const from = Number(values.seed ?? values.from)
  const { store } = values
  if (!Number.isInteger(seeds) || !Number.isInteger(from) || seeds < 1) throw new Error('--seeds, --from and --seed take whole numbers.')
  if (store !== 'memory' && store !== 'sql') throw new Error(`--store takes memory or sql, not ${store}.`)
  if (values.stores && store === 'sql') throw new Error('--stores needs the store in memory.')
  if (values.write && !values.broken) throw new Error('--write needs --broken.')
  return { seeds, from, store, hasSeveralStores: values.stores, isTraced: values.trace, isBroken: values.broken, isWritten: values.write }
}

async function simulate({ seeds, from, store, hasSeveralStores, isTraced }: Arguments): Promise<boolean> {
  const coverage = makeCoverage()
  const place: SqlPlace | undefined = store === 'sql' ? await openSqlPlace() : undefined
  const startedMs = performance.now()
  const seconds = () => (performance.now() - startedMs) / 1000
  let failures = 0
  let simulatedMs = 0
  let steps = 0
  let printedSeconds = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const deliveries = await place?.begin(seed)
    const report = await runSeed({ seed, coverage, deliveries, hasSeveralStores, trace: isTraced ? print : undefined })
    simulatedMs += report.simulatedMs
    steps += report.stepCount
    if (report.violation) {
      failures += 1
      const { invariant, message } = report.violation
      const storeWord = hasSeveralStores ? ' --stores' : store === 'sql' ? ' --store sql' : ''
      print(`invariant ${invariant}: ${message}   npm run simulate -- --seed ${seed}${storeWord} --trace`)
    }
    if (seconds() - printedSeconds < 5) continue
    printedSeconds = seconds()
    const done = seed - from + 1
    const pace = `${(done / seconds()).toFixed(1)} seeds/s`
    print(`${done} of ${seeds} seeds, ${pace}, ${days(simulatedMs)} simulated days, ${failures} failed`)
  }
  const tookSeconds = seconds()
  await place?.close()

  const counts = [...coverage.counts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  for (const [what, count] of counts) print(`${String(count).padStart(10)}  ${what}`)
  const didNotHappen = (what: string) => !coverage.counts.get(what)
  const missing = (hasSeveralStores ? storesCoverage : expectedCoverage).filter(didNotHappen)
  const missingRare = hasSeveralStores ? [] : rareCoverage.filter(didNotHappen)
  if (seeds >= 100 && missing.length + missingRare.length > 0) print(`did not happen: ${[...missing, ...missingRare].join('; ')}`)
  const isCovered =
    (missing.length === 0 || seeds < coverageExpectedFromSeeds[store]) &&
    (missingRare.length === 0 || seeds < rareCoverageExpectedFromSeeds[store])
  if (!isCovered) print('Each of these should have happened in so many runs. The simulator does not inject all faults.')
  const pace = `${(seeds / tookSeconds).toFixed(1)} seeds/s, ${(steps / tookSeconds / 1000).toFixed(0)}k steps/s`
  const { user, system } = process.cpuUsage()
  const cpuPerDayMs = (user + system) / 1000 / (simulatedMs / 86_400_000)
  const time = `${days(simulatedMs)} simulated days in ${tookSeconds.toFixed(1)} s (${cpuPerDayMs.toFixed(1)} ms of CPU per day)`
  print(`${seeds} seeds on ${store}: ${failures} failed. ${time}, ${pace}.`)
  return failures === 0 && isCovered
}

const days = (ms: number) => (ms / 86_400_000).toFixed(0)

/** `isWritten`: update the README and the seeds of the test. */
async function findBroken({ isWritten }: Arguments): Promise<boolean> {
  const firstOf = new Map<string, Found>()
  const quickSeeds = new Map<string, number>()
  for (const engine of brokenEngines) {
    const first = await findCatchingSeed(engine, { seedsMax: seedsOfBroken })
    const how = first ? `invariant ${first.invariant} at seed ${first.seed}: ${first.message}` : 'NOT CAUGHT'
    print(`${engine.name.padEnd(30)} ${how}`)
    if (!first) continue
    firstOf.set(engine.name, first)
    if (!isWritten) continue
    const quickest = await findQuickestSeed(engine, { first, amongSeeds: quickSearchSeeds })
    print(`${' '.repeat(30)} ${first.stepCount} steps; ${quickest.stepCount} at seed ${quickest.seed}`)
    quickSeeds.set(engine.name, quickest.seed)
  }
  if (isWritten) {
    writeReadmeTable(firstOf)
    writeQuickSeeds(quickSeeds)
  }
  return firstOf.size === brokenEngines.length
}

try {
  const given = readArguments()
  const isPassed = given.isBroken ? await findBroken(given) : await simulate(given)
  process.exitCode = isPassed ? 0 : 1
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`)
  process.exitCode = 2
}
