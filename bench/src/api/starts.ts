import { execFile } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { boundGoal, type Measurement } from '../report.ts'
import { elapsedMs, median } from '../statistics.ts'
import { measureInstall } from './install-size.ts'
import { readKb } from './peak-memory.ts'
import { type Service, startService } from './service.ts'
import type { World } from './world.ts'

const rounds = 5
/** Long enough for everything that happens once after a start. */
const restMs = 10_000

/** Measures a start until /readyz answers 200, the memory of a process without requests, and the size of an installation. */
export async function measureStarts(world: World): Promise<Measurement[]> {
  return [...(await measurePostgres(world)), ...(await measureEmbedded(world)), await measureSize(world)]
}

async function measurePostgres({ folder, databaseUrl }: World): Promise<Measurement[]> {
  const start = () => startService({ dataDirectory: path.join(folder, 'start-postgres'), databaseUrl, environment: { DRAIN_SECONDS: '0' } })
  // Without a measurement: it compiles.
  await (await start()).stop()
  const startMs: number[] = []
  const residentMb: number[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await start()
    startMs.push(service.readyMs)
    await sleep(restMs)
    residentMb.push(readKb(service.pid, 'VmRSS') / 1024)
    await service.stop()
  }
  const [ready, resident] = [median(startMs), median(residentMb)]
  return [
    { what: 'second start, PostgreSQL, until /readyz', unit: 'ms', ours: ready, goal: boundGoal({ value: ready, below: 800, unit: 'ms' }) },
    {
      what: `resident memory ${restMs / 1000} s after a start, PostgreSQL`,
      unit: 'MB',
      ours: resident,
      goal: boundGoal({ value: resident, below: 130, unit: 'MB' }),
    },
  ]
}

async function measureEmbedded({ folder }: World): Promise<Measurement[]> {
  const firstMs: number[] = []
  const againMs: number[] = []
  const storeMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const dataDirectory = path.join(folder, `start-${round}`)
    firstMs.push(await readyMs({ dataDirectory }))
    againMs.push(await readyMs({ dataDirectory }))
    storeMs.push(await elapsedMs(() => openStore(path.join(dataDirectory, 'store'))))
  }
  const [first, again] = [median(firstMs), median(againMs)]
  return [
    { what: 'first start, embedded, until /readyz', unit: 'ms', ours: first, goal: boundGoal({ value: first, below: 4000, unit: 'ms' }) },
    {
      what: 'second start, embedded, until /readyz',
      unit: 'ms',
      ours: again,
      ceiling: { what: 'a process that only opens that store', value: median(storeMs) },
      goal: boundGoal({ value: again, below: 3000, unit: 'ms' }),
    },
  ]
}

async function measureSize({ folder }: World): Promise<Measurement> {
  const { packageMb, dependenciesMb, dependencyCount, dependencies } = await measureInstall(folder)
  const ours = packageMb + dependenciesMb
  const largest = dependencies.slice(0, 8).map(({ name, mb }) => `${name} ${mb.toFixed(0)}`)
  return {
    what: 'installed package with its dependencies',
    note: `${packageMb.toFixed(0)} MB and ${dependencyCount} dependencies, the largest: ${largest.join(', ')}`,
    unit: 'MB',
    ours,
    goal: boundGoal({ value: ours, below: 250, unit: 'MB' }),
  }
}

const openStoreFile = fileURLToPath(new URL('./open-store.ts', import.meta.url))
const openStore = (folder: string) => promisify(execFile)(process.execPath, [openStoreFile, folder])

async function readyMs(options: { dataDirectory: string }): Promise<number> {
  const service: Service = await startService(options)
  await service.stop()
  return service.readyMs
}
