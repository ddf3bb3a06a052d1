import { readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { silentLog } from '../../testing/silent-log.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { makeKeyedSemaphore } from '../ports/semaphore.ts'
import { databaseFolder } from '../domain/databases/engines.ts'
import { readShopsEndingBefore } from '../store/databases/sample-shops-table.ts'
import { extendSamples, makeSampleExtender } from './extend-samples.ts'
import { seedSample } from './seed.ts'
import type { ShopDays } from './shop.ts'

let service: TestService
let organization: TestOrganization
let file: string
let count = 0
const never = new AbortController().signal

beforeAll(async () => {
  // Without workers, which would run the sample's report when the clock leaps to a Monday.
  service = await startTestService('postgres', { worker: false })
})
afterAll(() => service.stop())

beforeEach(async () => {
  await service.services.db.deleteFrom('sample_shops').execute()
  organization = await service.addOrganization(`shop${(count += 1)}`)
  await seedSample(service.services, organization.admin.caller, { makeShop: makeSmallShop })
  const { organizationId } = organization.admin.caller
  file = path.join(databaseFolder({ ...service.services, organizationId }), 'sample-shop.duckdb')
})

/** The sample's tables with one product and one order. */
async function makeSmallShop(name: string, { lastDay }: ShopDays): Promise<void> {
  await inFile(name, async (connection) => {
    await connection.run(await readFile(new URL('shop/1-tables.sql', import.meta.url), 'utf8'))
    await connection.run(`insert into products values (1, 'Lamp', 'Desk', 20, 10, '2020-01-01', null, true)`)
    await connection.run(`insert into orders values
      (1, 1, 1, '${lastDay} 10:00', '${lastDay}', 'web', 'Sydney', 1, 20, 0, null, 20, 'canceled', null, null, false)`)
  })
}

async function inFile<Result>(name: string, act: (connection: DuckDBConnection) => Promise<Result>): Promise<Result> {
  const instance = await DuckDBInstance.create(name)
  const connection = await instance.connect()
  try {
    return await act(connection)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

/** The last day with orders, and how many days have some. */
async function days() {
  const sql = 'select max(ordered_on), count(distinct ordered_on)::integer from orders'
  return inFile(file, async (connection) => (await connection.runAndReadAll(sql)).getRowsJson()[0])
}

const leftovers = async () => (await readdir(path.dirname(file))).filter((name) => !name.endsWith('.duckdb'))
const today = () => service.clock.now().toISOString().slice(0, 10)
const dayMs = 86_400_000
const isDue = async () => (await readShopsEndingBefore(service.services.db, today())).length === 1

test('adds all days that a service has missed, once', async () => {
  await extendSamples(service.services, never)
  expect(await days()).toEqual([today(), 1])
  service.clock.leap(7 * dayMs)
  expect(await isDue()).toBe(true)
  await extendSamples(service.services, never)
  expect(await days()).toEqual([today(), 8])
  expect(await isDue()).toBe(false)
  const { mtimeMs } = await stat(file)
  await extendSamples(service.services, never)
  expect((await stat(file)).mtimeMs).toBe(mtimeMs)
  expect(await leftovers()).toEqual([])
})

test('two processes extend a shop once', async () => {
  service.clock.leap(dayMs)
  const otherProcess = { ...service.services, importTurns: makeKeyedSemaphore({ permits: 2 }) }
  await Promise.all([extendSamples(service.services, never), extendSamples(otherProcess, never)])
  expect(await days()).toEqual([today(), 2])
  expect(await isDue()).toBe(false)
  const doubles = 'select count(*) - count(distinct (customer_id, ordered_at)) from orders'
  expect(await inFile(file, async (connection) => (await connection.runAndReadAll(doubles)).getRowsJson())).toEqual([['0']])
  expect(await leftovers()).toEqual([])
})

test('no longer extends a shop whose table was replaced, and leaves it as it is', async () => {
  await inFile(file, (connection) => connection.run(`create or replace table orders as select date '2020-01-01' as ordered_on`))
  service.clock.leap(dayMs)
  await extendSamples(service.services, never)
  expect(await days()).toEqual(['2020-01-01', 1])
  expect(await isDue()).toBe(false)
})

test('keeps other tables of the database', async () => {
  await inFile(file, (connection) => connection.run('create table targets as select 1 as target'))
  service.clock.leap(dayMs)
  await extendSamples(service.services, never)
  const [tables] = await inFile(file, async (connection) =>
    (await connection.runAndReadAll('select list(table_name order by table_name) from duckdb_tables()')).getRowsJson(),
  )
  expect(tables).toEqual([['customers', 'orders', 'products', 'targets']])
})

test('does not extend a deleted database', async () => {
  await service.services.db.updateTable('analytical_database_configs').set({ deleted_at: service.clock.now() }).execute()
  service.clock.leap(dayMs)
  expect(await isDue()).toBe(false)
})

test('retries a shop that another program had open', async () => {
  service.clock.leap(dayMs)
  await writeFile(`${file}.wal`, '')
  await extendSamples(service.services, never)
  expect(await isDue()).toBe(true)
  await rm(`${file}.wal`)
  const extended = Promise.withResolvers<void>()
  const log = { ...silentLog, info: () => extended.resolve() }
  const extender = makeSampleExtender({ ...service.services, log })
  extender.start()
  await extended.promise
  await extender.stop()
  expect(await isDue()).toBe(false)
  expect(await days()).toEqual([today(), 2])
})
