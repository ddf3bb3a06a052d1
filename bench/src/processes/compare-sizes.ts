import type { Service } from '../api/service.ts'
import { secondsOf, secondsOfFamily } from '../delivery/processor-time.ts'
import type { World } from '../delivery/world.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { median } from '../statistics.ts'

/** How many processes share the store. */
export const sizes = [1, 2, 4, 8] as const
type Size = (typeof sizes)[number]
/** There and back, so that a machine that gets slower or faster does not favor one size. */
const walk: readonly Size[] = [...sizes, ...sizes.toReversed()]
const turnsEach = 2

/** CPU milliseconds per unit of work. */
export interface UnitCost {
  client: number
  service: number
  store: number
}

export interface Measuring {
  role: 'api' | 'worker'
  /** Compiles the code of a process that was just started, and fills its caches. */
  warmUp(processes: Service[]): Promise<unknown>
  /** Not measured. */
  prepare?(processes: Service[]): Promise<void>
  /** Does the work, and returns how much was done. */
  work(processes: Service[]): Promise<number>
  clientPids: number[]
  /** Other processes of the service that take part. */
  others?: Service[]
}

/** Measures the same work with more and more processes of one role. */
export async function compareSizes(world: World, measuring: Measuring): Promise<Map<Size, UnitCost[]>> {
  const processes: Service[] = []
  const costs = new Map<Size, UnitCost[]>(sizes.map((size) => [size, []]))
  for (const size of walk) {
    while (processes.length > size) await processes.pop()!.stop()
    const before = processes.length
    while (processes.length < size) processes.push(await world.startProcess(measuring.role))
    if (processes.length > before) await measuring.warmUp(processes.slice(before))
    for (let turn = 0; turn < turnsEach; turn += 1) costs.get(size)!.push(await measureOnce(world, measuring, processes))
  }
  for (const process of processes) await process.stop()
  return costs
}

async function measureOnce(world: World, measuring: Measuring, processes: Service[]): Promise<UnitCost> {
  const all = [...processes, ...(measuring.others ?? [])]
  const read = () => ({
    client: sumOf(measuring.clientPids, secondsOf),
    service: sumOf(all.map(({ pid }) => pid), secondsOfFamily),
    store: secondsOfFamily(world.postgres.pid),
  })
  await measuring.prepare?.(processes)
  const before = read()
  const count = await measuring.work(processes)
  const after = read()
  const each = (name: keyof UnitCost) => ((after[name] - before[name]) / count) * 1000
  return { client: each('client'), service: each('service'), store: each('store') }
}

const sumOf = (pids: number[], read: (pid: number) => number) => pids.reduce((sum, pid) => sum + read(pid), 0)

/** One row for each part, with 8 processes against 1. The goal is about the service and its store together. */
export function linesOf(unit: string, costs: Map<Size, UnitCost[]>): Measurement[] {
  const own = (cost: UnitCost) => cost.service + cost.store
  const line = (part: string, read: (cost: UnitCost) => number, hasGoal = false): Measurement => {
    const of = (size: Size) => median(costs.get(size)!.map(read))
    const [one, eight] = [of(1), of(8)]
    return {
      what: `CPU per ${unit}, ${part}, 8 processes`,
      note: `2: ${of(2).toFixed(3)}, 4: ${of(4).toFixed(3)}`,
      unit: 'CPU ms',
      ours: eight,
      ceiling: { what: '1 process', value: one },
      ...(hasGoal && { goal: ratioGoal({ ours: eight, ceiling: one, atMost: 1.1 }) }),
    }
  }
  return [
    line('service and PostgreSQL', own, true),
    line('service', ({ service }) => service),
    line('PostgreSQL', ({ store }) => store),
    line('client', ({ client }) => client),
  ]
}
