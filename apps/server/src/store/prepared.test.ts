import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openPostgres, type Store } from './db.ts'
import { prepared } from './prepared.ts'

let store: Store
beforeAll(async () => {
  store = await openPostgres({ url: inject('postgresUrl'), maxConnections: 1, clock: systemClock, log: silentLog })
})
afterAll(() => store.close())

const plans = async () =>
  (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(store.db)).rows

test('plans a marked statement once per connection, whatever its parameters, and keeps no others', async () => {
  const twice = async (value: number) =>
    (await sql<{ doubled: number }>`${prepared} select ${value}::integer * 2 as doubled`.execute(store.db)).rows[0]!.doubled
  expect([await twice(1), await twice(21)]).toEqual([2, 42])
  expect((await sql<{ one: number }>`select ${1}::integer as one`.execute(store.db)).rows).toEqual([{ one: 1 }])
  expect(await plans()).toEqual([{ statement: '/* prepared */ select $1::integer * 2 as doubled' }])
})

test('reports an error of a marked statement and keeps the connection usable', async () => {
  const divide = (by: number) => sql<{ n: number }>`${prepared} select 6 / ${by}::integer as n`.execute(store.db)
  await expect(divide(0)).rejects.toThrow('division by zero')
  expect((await divide(3)).rows).toEqual([{ n: 2 }])
})

test('works within a transaction', async () => {
  const rows = await store.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ word: string }>`${prepared} select ${'a'}::text as word`.execute(tx)
    return rows
  })
  expect(rows).toEqual([{ word: 'a' }])
})
