import { signIn } from '../api/caller.ts'
import { apiKey, type Service } from '../api/service.ts'
import { addBacklog, clearDeliveries, switchWebhooks } from '../delivery/backlog.ts'
import { makeWorld, type World } from '../delivery/world.ts'
import { requestMessage } from '../load/connection.ts'
import { startGenerator } from '../load/generator.ts'
import type { Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { compareSizes, linesOf } from './compare-sizes.ts'
import { measureRest } from './rest.ts'

/** Measures what more processes on one PostgreSQL cost per request, run and delivery, and at rest. */
export const benchProcesses = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const connectionsEach = 16
const requestsMs = 3_000
const warmUpMs = 3_000
const deliveriesPerProcess = 6_000
const deliveriesWarmUp = 4_000
const endpointCount = 8
const queryCount = 64

async function measureRequests(world: World): Promise<Measurement[]> {
  const generators = Array.from({ length: 8 }, startGenerator)
  const message = requestMessage({ path: '/api/me', key: apiKey })
  const load = (processes: Service[], durationMs: number) =>
    Promise.all(processes.map(({ port }, index) => generators[index]!.ask({ port, message, connections: connectionsEach, durationMs })))
  const countOf = (figures: { requests: number }[]) => figures.reduce((sum, { requests }) => sum + requests, 0)
  const costs = await compareSizes(world, {
    role: 'api',
    clientPids: generators.map(({ pid }) => pid),
    async warmUp(processes) {
      for (const process of processes) await load([process], warmUpMs)
    },
    work: async (processes) => countOf(await load(processes, requestsMs)),
  })
  for (const generator of generators) generator.stop()
  return linesOf('GET /api/me', costs)
}

async function measureRuns(world: World): Promise<Measurement[]> {
  const api = await world.startProcess('api')
  const pages = await signIn(api)
  const { rows } = await world.sql.query<{ id: string }>(`select id from analytical_database_configs where engine = 'duckdb' limit 1`)
  const queryIds: string[] = []
  for (let number = 0; number < queryCount; number += 1) {
    const content = { sql: `select ${number} as number`, analyticalDatabaseConfigId: rows[0]!.id }
    queryIds.push((await pages.post<{ id: string }>('/app/api/queries', content)).id)
  }
  async function refreshAll(rounds: number): Promise<number> {
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(queryIds.map((id) => pages.post(`/app/api/queries/${id}/refresh`, {})))
      await untilNone(world, `select from runs where status in ('pending', 'running') limit 1`)
    }
    return rounds * queryIds.length
  }
  const costs = await compareSizes(world, {
    role: 'worker',
    clientPids: [process.pid],
    others: [api],
    warmUp: (processes) => refreshAll(processes.length * 2),
    work: (processes) => refreshAll(processes.length),
  })
  await api.stop()
  return linesOf('run', costs)
}

async function measureDeliveries(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  async function prepare(count: number): Promise<void> {
    await switchWebhooks(world.sql, endpoints, false)
    await clearDeliveries(world.sql)
    await addBacklog(world.sql, { endpoints, count })
  }
  async function deliver(count: number): Promise<number> {
    await switchWebhooks(world.sql, endpoints, true)
    await untilNone(world, `select from webhook_deliveries where state = 'pending' limit 1`)
    return count
  }
  const costs = await compareSizes(world, {
    role: 'worker',
    clientPids: [world.receivers.pid],
    async warmUp(processes) {
      await prepare(processes.length * deliveriesWarmUp)
      await deliver(processes.length * deliveriesWarmUp)
    },
    prepare: (processes) => prepare(processes.length * deliveriesPerProcess),
    work: (processes) => deliver(processes.length * deliveriesPerProcess),
  })
  return linesOf('delivery', costs)
}

async function untilNone(world: World, query: string): Promise<void> {
  while ((await world.sql.query(query)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

const benchmark = {
  name: 'processes',
  title: 'Many processes on one PostgreSQL',
  limitMinutes: 30,
  makeWorld,
  parts: { requests: measureRequests, runs: measureRuns, deliveries: measureDeliveries, rest: measureRest },
}
