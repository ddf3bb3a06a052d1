import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { hasTrino } from '@querypost/server/testing'
import { signIn } from '../api/caller.ts'
import { peakGrowth } from '../api/peak-memory.ts'
import { type Service, startService } from '../api/service.ts'
import { watchChildProcess } from '../import/import-memory.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs } from '../statistics.ts'
import { tpchQueries, withTables } from './tpch-queries.ts'
import { createTables, type TableName } from './tpch-tables.ts'
import { startClickhouseWith, startMysqlWith, startPostgresWith, startTrinoWith, type TpchWarehouse } from './tpch-warehouses.ts'

/** Runs the queries of TPC-H on saved queries of several engines, and compares the rows with those of one DuckDB that has all tables. */
export const benchRefs = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const scale = Number(process.env['BENCH_SCALE'] ?? 1)

/** The tables on servers; `lineitem` is in a file of DuckDB. Trino has some if `npm run engines` has installed it. */
const places: { name: string; tables: TableName[]; start: typeof startPostgresWith }[] = [
  { name: 'PostgreSQL', tables: ['orders'], start: startPostgresWith },
  { name: 'MySQL', tables: ['part', 'partsupp'], start: startMysqlWith },
  { name: 'ClickHouse', tables: hasTrino ? ['customer'] : ['customer', 'supplier', 'nation', 'region'], start: startClickhouseWith },
  ...(hasTrino ? [{ name: 'Trino', tables: ['supplier', 'nation', 'region'] satisfies TableName[], start: startTrinoWith }] : []),
]

interface World {
  service: Service
  pages: Awaited<ReturnType<typeof signIn>>
  all: DuckDBConnection
  databases: { id: string; tables: TableName[] }[]
  close(): Promise<void>
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
  await all.run('create table split.lineitem as from lineitem')
  await all.run('detach split')
  async function add(name: string, tables: TableName[], configuration: TpchWarehouse['configuration']) {
    const { id } = await pages.post<{ id: string }>('/app/api/databases', { name, ...configuration })
    return { id, tables }
  }
  const databases = [await add('Line items', ['lineitem'], { engine: 'duckdb', settings: { file: 'lineitem.duckdb' } })]
  for (const [at, { name, tables }] of places.entries()) databases.push(await add(name, tables, warehouses[at]!.configuration))
  return {
    service,
    pages,
    all,
    databases,
    async close() {
      await service.stop()
      for (const warehouse of warehouses) await warehouse.stop()
      all.closeSync()
      instance.closeSync()
      await rm(folder, { recursive: true, force: true })
    },
  }
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

async function measure(world: World): Promise<Measurement[]> {
  const { pages, all, service } = world
  const shortIds = new Map<TableName, string>()
  const growth = peakGrowth(service.pid)
  const child = watchChildProcess(service.pid, 'duckdb-child')
  let [loadingMs, firstMs, againMs, aloneMs] = [0, 0, 0, 0]
  async function loadTables(): Promise<void> {
    for (const { id, tables } of world.databases) {
      for (const name of tables) {
        const { queryId } = await runQuery(world, `select * from ${name}`, id)
        shortIds.set(name, (await pages.post<{ shortId: string }>('/app/api/references', { queryId, title: name })).shortId)
      }
    }
  }
  const loadingMb = await growth(async () => {
    loadingMs = await elapsedMs(loadTables)
  })
  const { id: refDatabaseId } = await pages.post<{ id: string }>('/app/api/databases/saved-queries', {})
  const run = (sql: string) => runQuery(world, withTables(sql, (name) => `ref('${shortIds.get(name)!}')`), refDatabaseId)
  const queryingMb = await growth(async () => {
    // The first query that reads a result converts it; later ones find it converted.
    firstMs = await elapsedMs(async () => {
      for (const sql of tpchQueries) await compare(world, sql, await run(sql))
    })
    againMs = await elapsedMs(async () => {
      for (const sql of tpchQueries) await run(`${sql} -- again`)
    })
  })
  aloneMs = await elapsedMs(async () => {
    for (const sql of tpchQueries) await all.runAndReadAll(sql)
  })
  const grownMb = Math.max(loadingMb, queryingMb)
  const about = `TPC-H, scale ${scale}`
  return [
    { what: `${about}: run and store the eight tables of ${world.databases.length} engines`, unit: 'ms', ours: loadingMs },
    { what: `${about}: the 22 queries through ref, with the conversion of results and the comparison of rows`, unit: 'ms', ours: firstMs },
    { what: `${about}: the 22 queries through ref again`, unit: 'ms', ours: againMs, ceiling: { what: 'one DuckDB with all tables, in this process', value: aloneMs } },
    { what: `${about}: growth of the service’s memory`, unit: 'MB', ours: grownMb, goal: boundGoal({ value: grownMb, below: 300, unit: 'MB' }) },
    { what: `${about}: peak memory of an engine process`, unit: 'MB', ours: child.stop() },
  ]
}

const isSame = (a: unknown, b: unknown) => String(a) === String(b) || Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.abs(Number(b))

/** Rows are equal if numbers are, however they are written. */
async function compare({ pages, all }: World, sql: string, { runId }: { runId: string }): Promise<void> {
  const { rows } = await pages.get<{ rows: unknown[][] }>(`/app/api/runs/${runId}/result`)
  const expected = (await all.runAndReadAll(sql)).getRowsJson()
  const isEqual = rows.length === expected.length && rows.every((row, at) => row.every((value, column) => isSame(value, expected[at]![column])))
  if (!isEqual) throw new Error(`The rows differ: ${sql}\n${JSON.stringify(rows.slice(0, 3))}\n${JSON.stringify(expected.slice(0, 3))}`)
}

const benchmark = {
  name: 'refs',
  title: 'TPC-H on saved queries of several engines',
  limitMinutes: 60,
  makeWorld,
  parts: { tpch: measure },
}
