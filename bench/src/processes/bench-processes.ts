import { signIn } from '../api/caller.ts'
import { apiKey, type Service } from '../api/service.ts'
import { addBacklog, clearDeliveries, switchWebhooks } from '../delivery/backlog.ts'
import { readStatements } from '../delivery/measure-sender.ts'
import { makeWorld, type World } from '../delivery/world.ts'
import { requestMessage } from '../load/connection.ts'
import { startGenerator } from '../load/generator.ts'
import type { Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { median } from '../statistics.ts'
import { compareSizes, linesOf } from './compare-sizes.ts'
import { measureRest } from './rest.ts'

/** Measures what more processes on one PostgreSQL cost per request, run and delivery, and at rest. */
export const benchProcesses = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const connectionsEach = 16
const requestsMs = 3_000
const warmUpMs = 3_000
/** More than can be delivered in a turn. */
const backlogCount = 40_000
const deliveriesMs = 5_000
const endpointCount = 8
const queryCount = 64

const countOf = (figures: { requests: number }[]) => figures.reduce((sum, { requests }) => sum + requests, 0)

async function measureRequests(world: World): Promise<Measurement[]> {
  const generators = Array.from({ length: 8 }, startGenerator)
  const message = requestMessage({ path: '/api/me', key: apiKey })
  const load = (processes: Service[], durationMs: number) =>
    Promise.all(processes.map(({ port }, index) => generators[index]!.ask({ port, message, connections: connectionsEach, durationMs })))
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
      await Promise.all(queryIds.map((id) => refresh(api, id)))
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

async function refresh(api: Service, queryId: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${api.port}/api/queries/${queryId}/refresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  })
  if (answer.status !== 202) throw new Error(`The refresh answered ${answer.status}: ${await answer.text()}`)
  await answer.arrayBuffer()
}

async function measureDeliveries(world: World): Promise<Measurement[]> {
  const endpoints = await world.addEndpoints(endpointCount)
  const { receivers, sql } = world
  const claims: ClaimFigures[] = []
  const arrivedAfter = async (limitMs: number) =>
    (await receivers.ask({ act: 'wait for', count: Number.POSITIVE_INFINITY, limitMs })).arrivedCount
  async function prepare(): Promise<void> {
    await switchWebhooks(sql, endpoints, false)
    await clearDeliveries(sql)
    await addBacklog(sql, { endpoints, count: backlogCount })
    await receivers.ask({ act: 'forget' })
    await switchWebhooks(sql, endpoints, true)
    await receivers.ask({ act: 'wait since first', afterMs: 1_000 })
  }
  const costs = await compareSizes(world, {
    role: 'worker',
    clientPids: [world.receivers.pid],
    // New processes share the cores with all others, so the more there are, the longer each takes to open connections and to be compiled.
    async warmUp(processes) {
      for (const _ of processes) {
        await prepare()
        await arrivedAfter(deliveriesMs)
      }
    },
    prepare,
    async work(processes) {
      await sql.query('select pg_stat_statements_reset()')
      const before = await arrivedAfter(0)
      const count = (await arrivedAfter(deliveriesMs)) - before
      const { claim } = await readStatements(world)
      claims.push({ processCount: processes.length, deliveryCount: count / claim!.calls, pageCount: claim!.pages })
      return count
    },
  })
  return [...linesOf('delivery', costs), ...linesOfClaims(claims)]
}

interface ClaimFigures {
  processCount: number
  /** Deliveries that arrived, and pages that PostgreSQL looked at, per claim. */
  deliveryCount: number
  pageCount: number
}

function linesOfClaims(claims: ClaimFigures[]): Measurement[] {
  const of = (size: number, read: (claim: ClaimFigures) => number) =>
    median(claims.filter(({ processCount }) => processCount === size).map(read))
  const line = (unit: 'deliveries' | 'pages', read: (claim: ClaimFigures) => number): Measurement => ({
    what: `${unit} per claim, 8 processes`,
    unit,
    ours: of(8, read),
    ceiling: { what: '1 process', value: of(1, read) },
  })
  return [line('deliveries', ({ deliveryCount }) => deliveryCount), line('pages', ({ pageCount }) => pageCount)]
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
