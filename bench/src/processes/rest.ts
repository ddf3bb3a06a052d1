import type { Service } from '../api/service.ts'
import { secondsOf, secondsOfFamily } from '../delivery/processor-time.ts'
import type { World } from '../delivery/world.ts'
import type { Measurement } from '../report.ts'

const pairCount = 4
/** Connections that a start needed are closed after a minute. */
const settleMs = 65_000
const windowMs = 20_000

interface Rest {
  serviceMs: number
  storeMs: number
  statements: number
  connections: number
}

/** Measures processes that have nothing to do, a second and process. */
export async function measureRest(world: World): Promise<Measurement[]> {
  const processes: Service[] = [await world.startProcess('api'), await world.startProcess('worker')]
  const two = await measure(world, processes)
  while (processes.length < 2 * pairCount) processes.push(await world.startProcess('api'), await world.startProcess('worker'))
  const eight = await measure(world, processes)
  for (const process of processes) await process.stop()
  const line = (what: string, unit: Measurement['unit'], name: keyof Rest): Measurement => ({
    what: `at rest, per process: ${what}, ${pairCount} API and ${pairCount} workers`,
    unit,
    ours: eight[name],
    ceiling: { what: 'one of each', value: two[name] },
  })
  return [
    line('CPU a second, service', 'CPU ms', 'serviceMs'),
    line('CPU a second, PostgreSQL', 'CPU ms', 'storeMs'),
    line('statements a second', 'statements', 'statements'),
    line('connections', 'connections', 'connections'),
  ]
}

async function measure(world: World, processes: Service[]): Promise<Rest> {
  const read = () => ({
    service: processes.reduce((sum, { pid }) => sum + secondsOf(pid), 0),
    store: secondsOfFamily(world.postgres.pid),
  })
  await wait(settleMs)
  await world.sql.query('select pg_stat_statements_reset()')
  const before = read()
  await wait(windowMs)
  const after = read()
  const each = (total: number) => total / processes.length
  const aSecond = (total: number) => each(total) / (windowMs / 1000)
  const { rows } = await world.sql.query<{ statements: number; connections: number }>(
    `select (select sum(calls)::integer from pg_stat_statements) as statements,
       (select count(*)::integer from pg_stat_activity where application_name like 'querypost%') as connections`,
  )
  return {
    serviceMs: aSecond((after.service - before.service) * 1000),
    storeMs: aSecond((after.store - before.store) * 1000),
    statements: aSecond(rows[0]!.statements),
    connections: each(rows[0]!.connections),
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
