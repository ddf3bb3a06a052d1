import { loadavg } from 'node:os'
import { type Measurement, report } from '../report.ts'
import { measureIsolation } from './isolation.ts'
import { measureLatency } from './latency.ts'
import { measurePeers } from './peers.ts'
import { measureThroughput } from './throughput.ts'
import { makeWorld, type World } from './world.ts'

const parts: Record<string, (world: World) => Promise<Measurement[]>> = {
  throughput: measureThroughput,
  peers: measurePeers,
  latency: measureLatency,
  isolation: measureIsolation,
}

const limitMinutes = 30

/** Whatever ends the benchmark early, what it started is stopped. */
function earlyEnd() {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const tooLong = () => reject(new Error(`It took longer than ${limitMinutes} minutes.`))
  const limit = setTimeout(tooLong, limitMinutes * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`Ended by ${signal}.`)))
  }
  return { comes: promise, forget: () => clearTimeout(limit) }
}

/** Measures the parts named, or all. The results are written only when all were measured. */
export async function benchDelivery(wanted: string[]): Promise<void> {
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
  const title = 'Deliveries against a bare loop and against other queues'
  await report({ name: 'delivery', title, measurements, begun, isWhole: wanted.length === 0 })
}
