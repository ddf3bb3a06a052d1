import { rm } from 'node:fs/promises'
import path from 'node:path'
import { resetMemoryPeak, memoryMb, newDataDirectory, type ServiceProcess, startServiceProcess } from '../../../test/service-process.ts'
import { secondsOfFamily } from '../delivery/processor-time.ts'
import { type Measurement, ratioGoal } from '../report.ts'
import { runParts } from '../run-parts.ts'
import { elapsedMs, median } from '../statistics.ts'
import { takeTurns } from '../take-turns.ts'
import { startBigqueryWarehouse } from './bigquery.ts'
import { startClickhouseWarehouse } from './clickhouse.ts'
import { startDuckdbWarehouse } from './duckdb.ts'
import { startMysqlWarehouse } from './mysql.ts'
import { startPostgresWarehouse } from './postgres.ts'
import { startSqliteWarehouse } from './sqlite.ts'
import { startTrinoWarehouse } from './trino.ts'
import { rowCount, rowsSql, type Warehouse } from './warehouse.ts'

export const benchEngines = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

/** One service for all engines. */
interface World {
  service: ServiceProcess
  databaseFolder: string
  close(): Promise<void>
}

async function makeWorld(): Promise<World> {
  const dataDirectory = await newDataDirectory()
  const service = await startServiceProcess({ dataDirectory })
  const { organization } = (await service.api('GET', '/api/me')).body as { organization: { id: string } }
  return {
    service,
    databaseFolder: path.join(dataDirectory, 'databases', organization.id),
    async close() {
      await service.stop()
      await rm(dataDirectory, { recursive: true, force: true })
    },
  }
}

const rounds = 5
const pollPauseMs = 250

async function measure({ service }: World, warehouse: Warehouse): Promise<Measurement[]> {
  const expectedRows = warehouse.fewerRows ?? rowCount
  const page = await service.signIn()
  async function made(route: string, body: unknown): Promise<string> {
    const answer = await page('POST', route, body)
    if (answer.status !== 201) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return (answer.body as { id: string }).id
  }
  const databaseId = await made('/app/api/databases', { name: warehouse.name, ...warehouse.configuration })
  const queryId = await made('/app/api/queries', { sql: rowsSql, analyticalDatabaseConfigId: databaseId })

  /**
   * Resolves with the time from the request until the store has recorded the run, by the service's own statement: requests that ask more
   * often would take processor time from the run.
   */
  async function runOnce(): Promise<number> {
    const sentMs = Date.now()
    await service.api('POST', `/api/queries/${queryId}/refresh`)
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, pollPauseMs))
      const { latestRun } = (await service.api('GET', `/api/queries/${queryId}`)).body as { latestRun: LatestRun }
      if (latestRun.status === 'completed') return Date.parse(latestRun.completedAt) - sentMs
      if (latestRun.status === 'failed') throw new Error(`The run on ${warehouse.name} failed.`)
    }
  }
  const readOnce = () =>
    elapsedMs(async () => {
      const count = await warehouse.bare.read()
      if (count !== expectedRows) throw new Error(`${warehouse.bare.what} gave ${count} rows.`)
    })

  // The start takes more memory than anything later.
  resetMemoryPeak(service.process)
  const beforeMb = memoryMb(service.process)
  const serviceCpuMs = () => secondsOfFamily(service.process.pid!) * 1000
  const turns = await takeTurns(rounds, { ours: () => figuresOf(runOnce, serviceCpuMs), bare: () => figuresOf(readOnce, ownCpuMs) })
  const [ours, bare] = [medianOf(turns.ours, 'tookMs'), medianOf(turns.bare, 'tookMs')]
  const peakMb = memoryMb(service.process)
  return [
    {
      what: `${warehouse.name}: ${expectedRows.toLocaleString('en-US')} rows of five columns, run, compressed and stored`,
      unit: 'ms',
      ours,
      ceiling: { what: warehouse.bare.what, value: bare },
      goal: ratioGoal({ ours, ceiling: bare, atMost: 1.2 }),
    },
    {
      what: `${warehouse.name}: processor time of the service and its child processes`,
      unit: 'CPU ms',
      ours: medianOf(turns.ours, 'cpuMs'),
      ceiling: { what: 'of this process', value: medianOf(turns.bare, 'cpuMs') },
    },
    {
      what: `${warehouse.name}: peak memory of the service`,
      unit: 'MB',
      ours: peakMb,
      note: `${Math.round(peakMb - beforeMb)} MB more than before the first of its runs`,
    },
  ]
}

interface LatestRun {
  status: string
  completedAt: string
}

interface Figures {
  tookMs: number
  cpuMs: number
}

const ownCpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const medianOf = (figures: Figures[], name: keyof Figures) => median(figures.map((each) => each[name]))

async function figuresOf(act: () => Promise<number>, cpuMs: () => number): Promise<Figures> {
  const beforeMs = cpuMs()
  const tookMs = await act()
  return { tookMs, cpuMs: cpuMs() - beforeMs }
}

const on = (start: (world: World) => Promise<Warehouse>) => async (world: World) => {
  const warehouse = await start(world)
  try {
    return await measure(world, warehouse)
  } finally {
    await warehouse.stop()
  }
}

const benchmark = {
  name: 'engines',
  title: 'A million rows from each engine, through the service and by the bare driver',
  limitMinutes: 15,
  makeWorld,
  parts: {
    postgres: on(startPostgresWarehouse),
    mysql: on(startMysqlWarehouse),
    clickhouse: on(startClickhouseWarehouse),
    trino: on(startTrinoWarehouse),
    bigquery: on(startBigqueryWarehouse),
    duckdb: on(({ databaseFolder }) => startDuckdbWarehouse({ folder: databaseFolder })),
    sqlite: on(({ databaseFolder }) => startSqliteWarehouse({ folder: databaseFolder })),
  },
}
