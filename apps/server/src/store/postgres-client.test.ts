import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts'
import { makePostgresClient } from './postgres-client.ts'
import { answeredEarly, commitOf, prepared } from './prepared.ts'

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

/** Commits of rows in this table wait for a lock, and fail for negative numbers. */
async function addSlowTable() {
  await sql`create table slow (n integer)`.execute(store.db)
  await sql`
    create function commit_slowly() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(417);
      if new.n < 0 then raise 'No negative numbers.'; end if;
      return null;
    end $$`.execute(store.db)
  await sql`create constraint trigger slowly after insert on slow deferrable initially deferred
    for each row execute function commit_slowly()`.execute(store.db)
  // The database is used by other tests afterwards.
  onTestFinished(async () => {
    await sql`drop table slow`.execute(store.db)
    await sql`drop function commit_slowly`.execute(store.db)
  })
}
const insertSlowly = async (n: number) =>
  (await sql<{ n: number }>`${answeredEarly} ${prepared} insert into slow values (${n}) returning n`.execute(store.db)).rows
const slowRows = async () => (await sql<{ n: number }>`select n from slow`.execute(store.db)).rows

test('a statement that is answered early returns its rows before it is committed', async () => {
  await addSlowTable()
  const rows = await store.db.connection().execute(async (connection) => {
    await sql`select pg_advisory_lock(417)`.execute(connection)
    const inserted = await insertSlowly(1)
    expect(inserted).toEqual([{ n: 1 }])
    expect(await slowRows()).toEqual([])
    await sql`select pg_advisory_unlock(417)`.execute(connection)
    return inserted
  })
  await commitOf(rows)
  expect(await slowRows()).toEqual([{ n: 1 }])

  await expect(commitOf(await insertSlowly(-1))).rejects.toThrow('No negative numbers.')
  await expect(insertSlowly('x' as never)).rejects.toThrow('invalid input syntax')
  await store.db.transaction().execute(async (tx) => {
    const { rows: inTransaction } = await sql`${answeredEarly} ${prepared} insert into slow values (2) returning n`.execute(tx)
    expect(commitOf(inTransaction)).toBeUndefined()
    expect(await slowRows()).toEqual([{ n: 1 }])
  })
  expect(await slowRows()).toEqual([{ n: 1 }, { n: 2 }])
})
