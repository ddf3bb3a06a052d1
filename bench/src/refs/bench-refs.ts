import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { signIn } from '../api/caller.ts'
import { peakGrowth } from '../api/peak-memory.ts'
import { type Service, startService } from '../api/service.ts'
import { watchChildProcess } from '../import/import-memory.ts'
import { boundGoal, type Measurement } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs } from '../statistics.ts'
import { tpchQueries, withTables } from './tpch-queries.ts'
import { createTables, type TableName } from './tpch-tables.ts'
import { startClickhouseWith, startMysqlWith, startPostgresWith, type TpchWarehouse } from './tpch-warehouses.ts'

/** Runs the queries of TPC-H on saved queries of four engines, and compares the rows with those of one DuckDB that has all tables. */
export const benchRefs = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const scale = Number(process.env['BENCH_SCALE'] ?? 1)

const placeOf = { duckdb: ['lineitem'], postgres: ['orders', 'customer'], mysql: ['part', 'partsupp'], clickhouse: ['supplier', 'nation', 'region'] } satisfies Record<string, TableName[]>

interface World {
  service: Service
  pages: Awaited<ReturnType<typeof signIn>>
  all: DuckDBConnection
  databaseIds: Record<keyof typeof placeOf, string>
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-refs-'))
  const instance = await DuckDBInstance.create(path.join(folder, 'all.duckdb'))
  const all = await instance.connect()
  for (const statement of createTables(scale)) await all.run(statement)
  const warehouses = {
    postgres: await startPostgresWith(all, placeOf.postgres),
    mysql: await startMysqlWith(all, placeOf.mysql),
    clickhouse: await startClickhouseWith(all, placeOf.clickhouse),
  }
  const limits = { RESULT_MAX_ROWS: '20000000', RESULT_MAX_MB: '4096', QUERY_TIMEOUT_SECONDS: '1800' }
  const service = await startService({ dataDirectory: path.join(folder, 'data'), environment: { ...limits, DATABASE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
  const pages = await signIn(service)
  const { organization } = await pages.get<{ organization: { id: string } }>('/app/api/session')
  const own = path.join(folder, 'data', 'databases', organization.id)
  await mkdir(own, { recursive: true })
  await all.run(`attach '${path.join(own, 'lineitem.duckdb')}' as split`)
  await all.run('create table split.lineitem as from lineitem')
  await all.run('detach split')
  const add = async (name: string, configuration: TpchWarehouse['configuration']) =>
    (await pages.post<{ id: string }>('/app/api/databases', { name, ...configuration })).id
  return {
    service,
    pages,
    all,
    databaseIds: {
      duckdb: await add('Line items', { engine: 'duckdb', settings: { file: 'lineitem.duckdb' } }),
      postgres: await add('PostgreSQL', warehouses.postgres.configuration),
      mysql: await add('MySQL', warehouses.mysql.configuration),
      clickhouse: await add('ClickHouse', warehouses.clickhouse.configuration),
    },
    async close() {
      await service.stop()
      for (const warehouse of Object.values(warehouses)) await warehouse.stop()
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
  const loadingMs = await elapsedMs(async () => {
    for (const [place, tables] of Object.entries(placeOf) as [keyof typeof placeOf, TableName[]][]) {
      for (const name of tables) {
        const { queryId } = await runQuery(world, `select * from ${name}`, world.databaseIds[place])
        shortIds.set(name, (await pages.post<{ shortId: string }>('/app/api/references', { queryId, title: name })).shortId)
      }
    }
  })
  const { id: refDatabaseId } = await pages.post<{ id: string }>('/app/api/databases/saved-queries', {})
  const run = (sql: string) => runQuery(world, withTables(sql, (name) => `ref('${shortIds.get(name)!}')`), refDatabaseId)
  const child = watchChildProcess(service.pid, 'duckdb-child')
  let [firstMs, againMs, aloneMs] = [0, 0, 0]
  const grownMb = await peakGrowth(service.pid)(async () => {
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
  const about = `TPC-H, scale ${scale}`
  return [
    { what: `${about}: run and store the eight tables of four engines`, unit: 'ms', ours: loadingMs },
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
  title: 'TPC-H on saved queries of four engines',
  limitMinutes: 60,
  makeWorld,
  parts: { tpch: measure },
}
