import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Fixture, openFixture, writeDatabase } from '../../../testing/engines/duckdb-fixture.ts'
import type { FileTable } from '../engine.ts'
import { allRows } from './describe-duckdb.ts'

let fixture: Fixture
let orders: FileTable
let secrets: FileTable

beforeAll(async () => {
  fixture = await openFixture(['create table own as select 7 as n'], { maxProcesses: 1 })
  orders = { name: 'ref_1', file: join(fixture.folder, 'orders.parquet') }
  secrets = { name: 'ref_2', file: join(fixture.folder, 'secrets.parquet') }
  await writeDatabase(join(fixture.folder, 'other.duckdb'), [
    `copy (select 42 as n) to '${orders.file}'`,
    `copy (select 'hidden' as word) to '${secrets.file}'`,
  ])
})
afterAll(async () => {
  await fixture.engine.close()
  await fixture.release()
})

async function run(sql: string, tables?: FileTable[]) {
  const { signal } = new AbortController()
  const rows = await allRows(await fixture.engine.run({ sql, signal, ...(tables && { tables }) }))
  return { rows, pid: fixture.lastPid() }
}

test('the tables of one statement do not exist for the next one in the same process', async () => {
  const both = await run('select * from ref_1, ref_2, own', [orders, secrets])
  expect(both.rows).toEqual([[42, 'hidden', 7]])
  for (const sql of [`select * from ref_2`, `from read_parquet('input_2.parquet')`, `from 'input_2.parquet'`, `from glob('*')`]) {
    await expect(run(sql, [orders])).rejects.toThrow(/ref_2 does not exist|Permission Error/)
    await expect(run(sql)).rejects.toThrow(/ref_2 does not exist|Permission Error/)
  }
  const swapped = await run('select * from ref_1', [{ ...secrets, name: 'ref_1' }])
  expect(swapped).toEqual({ rows: [['hidden']], pid: both.pid })
  expect(await run('select n from own')).toEqual({ rows: [[7]], pid: both.pid })
})

test('a file that is gone is an error that names no path', async () => {
  const gone = run('select * from ref_1', [{ name: 'ref_1', file: join(fixture.folder, 'gone.parquet') }])
  await expect(gone).rejects.toThrow(expect.not.stringContaining(fixture.folder))
  expect((await run('select n from ref_1', [orders])).rows).toEqual([[42]])
})
