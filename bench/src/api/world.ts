import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import pg from 'pg'
import { databaseFolder } from '@querypost/server/engines'
import { startPostgresServer } from '@querypost/server/testing'
import { callApi, signIn } from './caller.ts'
import { type Service, startService } from './service.ts'

/** The shared environment: a durable PostgreSQL, the service on it, and an analytical database with a million rows. */
export interface World {
  folder: string
  databaseUrl: string
  service: Service
  duckdbFile: string
  /** Runs a statement in the service's own database. */
  sql(text: string, values?: unknown[]): Promise<pg.QueryResult>
  /** Stores a query on the analytical database and returns its id. */
  storeQuery(sql: string): Promise<string>
  close(): Promise<void>
}

export async function makeWorld({ environment = {} }: { environment?: Record<string, string> } = {}): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-bench-'))
  const stops = [() => rm(folder, { recursive: true, force: true })]
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  try {
    const postgres = await startPostgresServer({ durable: true })
    stops.push(postgres.stop)
    const databaseUrl = postgres.url
    const service = await startService({ dataDirectory: path.join(folder, 'data'), databaseUrl, environment })
    stops.push(service.stop)
    const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
    stops.push(() => pool.end())
    return { folder, databaseUrl, service, sql: (text, values) => pool.query(text, values), ...(await analyse(service)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Adds the analytical database to the service. */
async function analyse(service: Service): Promise<Pick<World, 'duckdbFile' | 'storeQuery'>> {
  const { organization } = await callApi<{ organization: { id: string } }>(service, '/api/me')
  const file = 'bench.duckdb'
  const duckdbFile = path.join(databaseFolder({ ...service, organizationId: organization.id }), file)
  await createMeasurements(duckdbFile)
  const pages = await signIn(service)
  const database = await pages.post<{ id: string }>('/app/api/databases', {
    name: 'Bench',
    engine: 'duckdb',
    settings: { file },
  })

  return {
    duckdbFile,
    async storeQuery(sql) {
      const query = { sql, analyticalDatabaseConfigId: database.id }
      return (await pages.post<{ id: string }>('/app/api/queries', query)).id
    },
  }
}

/** A million rows of five columns: integer, timestamp, text, double and decimal. */
async function createMeasurements(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file)
  const connection = await instance.connect()
  await connection.run(`
    create table measurements as
    select i::integer as id,
           timestamp '2025-01-01' + to_milliseconds(i * 30021) as measured_at,
           'sensor ' || (i * 7919 % 500) as sensor,
           sin(i) * 100 as reading,
           (i * 7 % 1000003 / 100)::decimal(12, 2) as price
    from range(1000000) as numbers (i)`)
  await connection.run('checkpoint')
  connection.closeSync()
  instance.closeSync()
}

export const millionRowsSql = 'select id, measured_at, sensor, reading, price from measurements'
export const tenMillionRowsSql = `${millionRowsSql}, range(10)`
export const tenThousandRowsSql = `${millionRowsSql} where id < 10000`
export const smallSql = `select sensor, count(*) as readings, avg(reading) as mean, max(measured_at) as latest
from measurements where id < 10000 group by sensor order by readings desc, sensor limit 20`
