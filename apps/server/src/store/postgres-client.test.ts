import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { makePostgresClient } from './postgres-client.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore('postgres')
})
afterAll(() => store.close())

const transactionId = async (db: TestStore['db']) =>
  (await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(db)).rows[0]!.id

test('the first statement of a transaction is part of it', async () => {
  const ids = await store.db.transaction().execute(async (tx) => [await transactionId(tx), await transactionId(tx)])
  expect(ids[0]).toBe(ids[1])
  expect(await transactionId(store.db)).not.toBe(ids[0])
})

test('a transaction whose first statement fails is rolled back, and its connection can be used again', async () => {
  const one = await store.db.connection().execute(async (connection) => {
    const failing = connection.transaction().execute((tx) => sql`select 1 / 0`.execute(tx))
    await expect(failing).rejects.toThrow('division by zero')
    return connection.transaction().execute((tx) => sql<{ one: number }>`select 1 as one`.execute(tx))
  })
  expect(one.rows).toEqual([{ one: 1 }])
})

test('a transaction without statements commits and rolls back', async () => {
  await expect(store.db.transaction().execute(async () => 'committed')).resolves.toBe('committed')
  const failing = store.db.transaction().execute(() => Promise.reject(new Error('changed my mind')))
  await expect(failing).rejects.toThrow('changed my mind')
  expect(await transactionId(store.db)).not.toBe(await transactionId(store.db))
})

test('a transaction has the requested isolation level', async () => {
  const { rows } = await store.db
    .transaction()
    .setIsolationLevel('serializable')
    .execute((tx) => sql`show transaction_isolation`.execute(tx))
  expect(rows).toEqual([{ transaction_isolation: 'serializable' }])
})

test('a first statement with options of the driver is part of the transaction', async () => {
  const Client = makePostgresClient({ deadlines: { begin: () => () => {} } })
  const client = new Client({ connectionString: inject('postgresUrl'), pipeline: true })
  await client.connect()
  await client.query('begin')
  const [first, second] = [
    await client.query<string[]>({ text: 'select pg_current_xact_id()::text', rowMode: 'array' }),
    await client.query<string[]>({ text: 'select pg_current_xact_id()::text', rowMode: 'array' }),
  ]
  await client.query('rollback')
  await client.end()
  expect(second.rows).toEqual(first.rows)
})
