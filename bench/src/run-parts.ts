import { loadavg } from 'node:os'
import { type Measurement, report } from './report.ts'

/** A benchmark: parts that can be measured separately in a shared environment. */
export interface Benchmark<World extends { close(): Promise<void> }> {
  name: string
  title: string
  limitMinutes: number
  /** How both sides of a line are measured, unless in turns. */
  method?: string
  makeWorld(): Promise<World>
  parts: Record<string, (world: World) => Promise<Measurement[]>>
}

/** Measures the named parts, or all. Results are written only if all were measured. */
export async function runParts<World extends { close(): Promise<void> }>(
  benchmark: Benchmark<World>,
  wanted: string[],
): Promise<void> {
  const { name, title, parts, method } = benchmark
  const unknown = wanted.find((part) => !(part in parts))
  if (unknown) throw new Error(`There is no part ${unknown}. Choose from ${Object.keys(parts).join(', ')}.`)
  const begun = { at: new Date(), load: loadavg()[0]! }
  const end = earlyEnd(benchmark.limitMinutes)
  const measurements: Measurement[] = []
  const world = await benchmark.makeWorld()
  try {
    for (const [part, measure] of Object.entries(parts)) {
      if (wanted.length > 0 && !wanted.includes(part)) continue
      const startedMs = performance.now()
      measurements.push(...(await Promise.race([measure(world), end.comes])))
      console.log(`${part}: ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
    }
  } finally {
    await world.close()
    end.forget()
  }
  await report({ name, title, measurements, begun, isWhole: wanted.length === 0, ...(method && { method }) })
}

/** Rejects when the benchmark is interrupted or takes too long, so that everything is stopped. */
function earlyEnd(limitMinutes: number) {
  const { promise, reject } = Promise.withResolvers<never>()
  promise.catch(() => {})
  const tooLong = () => reject(new Error(`The benchmark took longer than ${limitMinutes} minutes.`))
  const limit = setTimeout(tooLong, limitMinutes * 60_000)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => reject(new Error(`Interrupted by ${signal}.`)))
  }
  return { comes: promise, forget: () => clearTimeout(limit) }
}
