import path from 'node:path'
import { boundGoal, type Measurement } from '../report.ts'
import { median } from '../statistics.ts'
import { startService } from './service.ts'
import type { World } from './world.ts'

const folders = 2
const restarts = 3

/** From the start of the process until /readyz answers 200, on embedded defaults: in a new folder, and again. */
export async function measureStarts(world: World): Promise<Measurement[]> {
  const firstMs: number[] = []
  const againMs: number[] = []
  for (let folder = 0; folder < folders; folder++) {
    const dataDirectory = path.join(world.folder, `start-${folder}`)
    firstMs.push(await readyMs(dataDirectory))
    for (let restart = 0; restart < restarts; restart++) againMs.push(await readyMs(dataDirectory))
  }
  const again = median(againMs)
  return [
    { what: 'first start, embedded, until /readyz', unit: 'ms', ours: median(firstMs) },
    {
      what: 'second start, embedded, until /readyz',
      unit: 'ms',
      ours: again,
      goal: boundGoal({ value: again, below: 3000, unit: 'ms' }),
    },
  ]
}

async function readyMs(dataDirectory: string): Promise<number> {
  const service = await startService({ dataDirectory })
  await service.stop()
  return service.readyMs
}
