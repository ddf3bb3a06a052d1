import { loadavg } from 'node:os'
import { type Measurement, report } from '../report.ts'
import { measureLists } from './lists.ts'
import { measureRefresh } from './measure-refresh.ts'
import { measureRequests } from './requests.ts'
import { measureResultRoute } from './result-route.ts'
import { measureStarts } from './starts.ts'
import { makeWorld, type World } from './world.ts'

const parts: Record<string, (world: World) => Promise<Measurement[]>> = {
  lists: measureLists,
  result: measureResultRoute,
  refresh: measureRefresh,
  requests: measureRequests,
  start: measureStarts,
}

const limitMs = 10 * 60_000

/** Whatever ends the benchmark early, what it started is stopped. */
function earlyEnd() {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const limit = setTimeout(() => reject(new Error('It took longer than 10 minutes.')), limitMs)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
  return { comes: promise, forget: () => clearTimeout(limit) }
}

/** Measures the parts named, or all. The results are written only when all were measured. */
export async function benchApi(wanted: string[]): Promise<void> {
  const unknown = wanted.find((name) => !(name in parts))
  if (unknown) throw new Error(`There is no part ${unknown}. There are ${Object.keys(parts).join(', ')}.`)
  const begun = { at: new Date(), load: loadavg()[0]! }
  const end = earlyEnd()
  const measurements: Measurement[] = []
  const world = await makeWorld()
  try {
    for (const [name, measure] of Object.entries(parts)) {
      if (wanted.length > 0 && !wanted.includes(name)) continue
      const startedMs = performance.now()
      measurements.push(...(await Promise.race([measure(world), end.comes])))
      console.log(`${name}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
    }
  } finally {
    await world.close()
    end.forget()
  }
  const title = 'The service against what the machine gives'
  await report({ name: 'api', title, measurements, begun, isWhole: wanted.length === 0 })
}
