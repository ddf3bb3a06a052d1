import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { hasTrino } from '@querypost/server/testing'
import { signIn } from '../api/caller.ts'
import { peakGrowth, readKb } from '../api/peak-memory.ts'
import { type Service, startService } from '../api/service.ts'
import { watchChildProcess, watchChildProcesses } from '../import/import-memory.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, geometricMean, sum } from '../statistics.ts'
import { startFederatedTrino, trinoHeapMb, type TrinoPlace } from './federated-trino.ts'
import { checkRows } from './same-rows.ts'
import { fileTables, serverPlaces } from './tpch-places.ts'
import { tpchQueries, withTables } from './tpch-queries.ts'
import { createTables, type TableName } from './tpch-tables.ts'
import type { TpchWarehouse } from './tpch-warehouses.ts'

/**
 * Runs the queries of TPC-H on saved queries of several engines, and by Trino on the same databases. Both must give the rows of one DuckDB that
 * has all tables. Without Trino, which `npm run engines` installs, that part is left out.
 */
export const benchRefs = (wanted: string[]): Promise<void> =>
  runParts({ ...benchmark, parts: hasTrino || wanted.includes('federated') ? { tpch, federated } : { tpch } }, wanted)

const scale = Number(process.env['BENCH_SCALE'] ?? 1)

const places = serverPlaces({ hasTrino })

interface World {
  service: Service
  pages: Awaited<ReturnType<typeof signIn>>
  all: DuckDBConnection
  databases: { id: string; tables: TableName[] }[]
  folder: string
  /** The servers, for Trino. */
  servers: TrinoPlace[]
  /** The rows of each query, from one DuckDB. */
  expected: unknown[][][]
  /** Measured once, by the part that needs it first. */
  ours(): Promise<Figures>
  /** What a part has started. It is stopped with the rest, also if the benchmark is interrupted. */
  started: { stop(): Promise<void> }[]
  close(): Promise<void>
}

/** The times of all queries, in their order. */
interface Times {
  firstMs: number[]
  againMs: number[]
}

interface Figures extends Times {
  /** Running and storing the queries whose results the others read. */
  loadingMs: number
  serviceGrowthMb: number
  engineProcessMb: number
  /** The service and its child processes. */
  totalMb: number
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-refs-'))
  const instance = await DuckDBInstance.create(path.join(folder, 'all.duckdb'), { memory_limit: '2GB' })
  const all = await instance.connect()
  for (const statement of createTables(scale)) await all.run(statement)
  const warehouses: TpchWarehouse[] = []
  for (const { start, tables } of places) warehouses.push(await start(all, tables))
  const limits = { RESULT_MAX_ROWS: '20000000', RESULT_MAX_MB: '4096', QUERY_TIMEOUT_SECONDS: '1800' }
  const service = await startService({ dataDirectory: path.join(folder, 'data'), environment: { ...limits, DATABASE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const pages = await signIn(service)
  const { organization } = await pages.get<{ organization: { id: string } }>('/app/api/session')
  const own = path.join(folder, 'data', 'databases', organization.id)
  await mkdir(own, { recursive: true })
  await all.run(`attach '${path.join(own, 'lineitem.duckdb')}' as split`)
  for (const name of fileTables) await all.run(`create table split.${name} as from ${name}`)
  await all.run('detach split')
  async function add(name: string, tables: TableName[], configuration: TpchWarehouse['configuration']) {
    const { id } = await pages.post<{ id: string }>('/app/api/databases', { name, ...configuration })
    return { id, tables }
  }
  const expected: unknown[][][] = []
  for (const sql of tpchQueries) expected.push((await all.runAndReadAll(sql)).getRowsJson())
  const databases = [await add('Line items', fileTables, { engine: 'duckdb', settings: { file: 'lineitem.duckdb' } })]
  for (const [at, { name, tables }] of places.entries()) databases.push(await add(name, tables, warehouses[at]!.configuration))
  const servers = places.map(({ name, tables }, at) => ({ name, tables, catalog: warehouses[at]!.catalog }))
  let ours: Promise<Figures> | undefined
  const world: World = {
    service,
    pages,
    all,
    databases,
    folder,
    servers,
    expected,
    ours: () => (ours ??= measureOurs(world)),
    started: [],
    async close() {
      await service.stop()
      for (const server of [...world.started, ...warehouses]) await server.stop()
      all.closeSync()
      instance.closeSync()
      await rm(folder, { recursive: true, force: true })
    },
  }
  return world
}

async function runQuery({ pages }: World, sql: string, analyticalDatabaseConfigId: string): Promise<{ queryId: string; runId: string }> {
  const { id: queryId } = await pages.post<{ id: string }>('/app/api/queries', { sql, analyticalDatabaseConfigId })
  const { id: runId } = await pages.post<{ id: string }>(`/app/api/queries/${queryId}/runs`, {})
  for (;;) {
    const run = await pages.get<{ status: string; failureReason: string | null }>(`/app/api/runs/${runId}`)
    if (run.status === 'completed') return { queryId, runId }
    if (run.status === 'failed') throw new Error(`${sql}\n${run.failureReason}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Runs every query twice and reads its rows. Comparing them is not part of its time. */
async function timeQueries(world: World, rowsOf: (sql: string) => Promise<unknown[][]>): Promise<Times> {
  async function round(name: string): Promise<number[]> {
    const times: number[] = []
    for (const [at, sql] of tpchQueries.entries()) {
      const startedMs = performance.now()
      const actual = await rowsOf(`${sql} -- ${name}`)
      times.push(performance.now() - startedMs)
      checkRows(`query ${at + 1}`, { actual, expected: world.expected[at]! })
    }
    return times
  }
  return { firstMs: await round('first'), againMs: await round('again') }
}

async function measureOurs(world: World): Promise<Figures> {
  const { pages, service } = world
  const shortIds = new Map<TableName, string>()
  const restMb = readKb(service.pid, 'VmRSS') / 1024
  const growth = peakGrowth(service.pid)
  const engineProcess = watchChildProcess(service.pid, 'duckdb-child')
  const children = watchChildProcesses(service.pid)
  let loadingMs = 0
  let times: Times | undefined
  async function loadTables(): Promise<void> {
    for (const { id, tables } of world.databases) {
      for (const name of tables) {
        const { queryId } = await runQuery(world, `select * from ${name}`, id)
        shortIds.set(name, (await pages.post<{ shortId: string }>('/app/api/references', { queryId, title: name })).shortId)
      }
    }
  }
  const serviceGrowthMb = await growth(async () => {
    loadingMs = await elapsedMs(loadTables)
    const { id: refDatabaseId } = await pages.post<{ id: string }>('/app/api/databases/saved-queries', {})
    // The first query that reads a result converts it; later ones find it converted.
    times = await timeQueries(world, async (sql) => {
      const { runId } = await runQuery(world, withTables(sql, (name) => `ref('${shortIds.get(name)!}')`), refDatabaseId)
      return (await pages.get<{ rows: unknown[][] }>(`/app/api/runs/${runId}/result`)).rows
    })
  })
  const totalMb = restMb + serviceGrowthMb + children.stop()
  return { ...times!, loadingMs, serviceGrowthMb, engineProcessMb: engineProcess.stop(), totalMb }
}

const about = `TPC-H, scale ${scale}`

async function tpch(world: World): Promise<Measurement[]> {
  const { loadingMs, firstMs, againMs, serviceGrowthMb, engineProcessMb } = await world.ours()
  const aloneMs = await elapsedMs(async () => {
    for (const sql of tpchQueries) await world.all.runAndReadAll(sql)
  })
  const alone = { what: 'one DuckDB with all tables, in this process', value: aloneMs }
  const goal = boundGoal({ value: serviceGrowthMb, below: 300, unit: 'MB' })
  return [
    { what: `${about}: run and store the eight tables of ${world.databases.length} engines`, unit: 'ms', ours: loadingMs },
    { what: `${about}: the 22 queries through ref, with the conversion of results`, unit: 'ms', ours: sum(firstMs) },
    { what: `${about}: the 22 queries through ref again`, unit: 'ms', ours: sum(againMs), ceiling: alone },
    { what: `${about}: growth of the service’s memory`, unit: 'MB', ours: serviceGrowthMb, goal },
    { what: `${about}: peak memory of an engine process`, unit: 'MB', ours: engineProcessMb },
  ]
}

const beside = (what: string, value: number) => ({ what: `Trino federated, ${what}`, value })

async function federated(world: World): Promise<Measurement[]> {
  const ours = await world.ours()
  const { server, addresses } = await startFederatedTrino({ source: world.all, folder: world.folder, fileTables, servers: world.servers })
  world.started.push(server)
  let times: Times | undefined
  const restMb = readKb(server.pid(), 'VmRSS') / 1024
  const growthMb = await peakGrowth(server.pid())(async () => {
    times = await timeQueries(world, (sql) => server.rows(withTables(sql, (name) => addresses.get(name)!)))
  })
  const { firstMs, againMs } = times!
  for (const at of tpchQueries.keys()) {
    const [mine, theirs] = [ours, times!].map((each) => `${each.firstMs[at]!.toFixed(0)} ms, again ${each.againMs[at]!.toFixed(0)} ms`)
    console.log(`query ${at + 1}: ${mine}; Trino ${theirs}`)
  }
  const fasterQueries = ours.againMs.filter((ms, at) => ms < againMs[at]!).length
  return [
    { what: `${about}: the 22 queries the first time, with running and storing the tables`, unit: 'ms', ours: ours.loadingMs + sum(ours.firstMs), ceiling: beside('first time', sum(firstMs)) },
    { what: `${about}: the 22 queries again, from stored results`, unit: 'ms', ours: sum(ours.againMs), ceiling: beside('again, from the databases', sum(againMs)), note: `faster in ${fasterQueries} of 22` },
    { what: `${about}: a query again, geometric mean`, unit: 'ms', ours: geometricMean(ours.againMs), ceiling: beside('again', geometricMean(againMs)) },
    { what: `${about}: peak memory, the service and its processes`, unit: 'MB', ours: ours.totalMb, ceiling: beside(`heap ${trinoHeapMb} MB`, restMb + growthMb) },
  ]
}

const benchmark = {
  name: 'refs',
  title: 'TPC-H on saved queries of several engines',
  limitMinutes: 60,
  method: 'Each time is one pass; bench/README.md says what is not equal about both sides.',
  makeWorld,
}
