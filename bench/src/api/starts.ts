import { execFile } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { boundGoal, type Measurement } from '../report.ts'
import { elapsedMs, median } from '../statistics.ts'
import { startService } from './service.ts'
import type { World } from './world.ts'

const folders = 1
const restarts = 4

/** Measures the time until /readyz answers 200 with embedded defaults: for a first start and for a second one. */
export async function measureStarts(world: World): Promise<Measurement[]> {
  const firstMs: number[] = []
  const againMs: number[] = []
  const storeMs: number[] = []
  for (let folder = 0; folder < folders; folder++) {
    const dataDirectory = path.join(world.folder, `start-${folder}`)
    firstMs.push(await readyMs(dataDirectory))
    for (let restart = 0; restart < restarts; restart++) {
      againMs.push(await readyMs(dataDirectory))
      storeMs.push(await elapsedMs(() => openStore(path.join(dataDirectory, 'store'))))
    }
  }
  const again = median(againMs)
  return [
    { what: 'first start, embedded, until /readyz', unit: 'ms', ours: median(firstMs) },
    {
      what: 'second start, embedded, until /readyz',
      unit: 'ms',
      ours: again,
      ceiling: { what: 'a process that only opens that store', value: median(storeMs) },
      goal: boundGoal({ value: again, below: 3000, unit: 'ms' }),
    },
  ]
}

const openStoreFile = fileURLToPath(new URL('./open-store.ts', import.meta.url))
const openStore = (folder: string) => promisify(execFile)(process.execPath, [openStoreFile, folder])

async function readyMs(dataDirectory: string): Promise<number> {
  const service = await startService({ dataDirectory })
  await service.stop()
  return service.readyMs
}
