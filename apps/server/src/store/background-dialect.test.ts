import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore } from '../../testing/store/test-store.ts'
import type { Db, Store } from './db.ts'

/** Tests the two lanes to the embedded store. */
let store: Store
beforeAll(async () => {
  store = await openTestStore('pglite', { isNew: true })
  await sql`create table marks (text text)`.execute(store.db)
})
afterAll(() => store.close())

const ask = (db: Db) => sql`select 1`.execute(db)
const marks = async (db: Db) => (await sql<{ text: string }>`select text from marks`.execute(db)).rows

test('a request waits for at most one background transaction', async () => {
  let doneCount = 0
  const inBackground = Array.from({ length: 100 }, async () => {
    await store.backgroundDb.transaction().execute(async (tx) => {
      for (let statement = 0; statement < 5; statement += 1) await sql`select 1`.execute(tx)
    })
    doneCount += 1
  })
  for (let request = 1; request <= 5; request += 1) {
    const doneBefore = doneCount
    await ask(store.db)
    expect(doneCount - doneBefore).toBeLessThanOrEqual(2)
  }
  await Promise.all(inBackground)
  expect(doneCount).toBe(100)
})

test('background work proceeds while requests keep coming', async () => {
  let isOver = false
  let answeredCount = 0
  const requests = Array.from({ length: 10 }, async () => {
    while (!isOver) {
      await ask(store.db)
      answeredCount += 1
      // The next request comes from a socket.
      await new Promise((resolve) => setImmediate(resolve))
    }
  })
  for (let statement = 0; statement < 20; statement += 1) await ask(store.backgroundDb)
  isOver = true
  await Promise.all(requests)
  expect(answeredCount).toBeLessThan(20 * 30)
})

test('the event loop keeps running during background work', async () => {
  let turns = 0
  let isOver = false
  const count = () => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const busy = Array.from({ length: 4 }, async () => {
    for (let statement = 0; statement < 25; statement += 1) await ask(store.backgroundDb)
  })
  await Promise.all(busy)
  isOver = true
  expect(turns).toBeGreaterThanOrEqual(99)
})

test('one lane does not see the other’s transaction until it is committed', async () => {
  const begun = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const writing = store.backgroundDb.transaction().execute(async (tx) => {
    await sql`insert into marks values ('kept')`.execute(tx)
    begun.resolve()
    await resumed.promise
  })
  await begun.promise
  const seen = marks(store.db)
  resumed.resolve()
  await writing
  expect(await seen).toEqual([{ text: 'kept' }])

  const undone = store.db.transaction().execute(async (tx) => {
    await sql`insert into marks values ('undone')`.execute(tx)
    throw new Error('undo')
  })
  const beside = sql`insert into marks values ('beside')`.execute(store.backgroundDb)
  await expect(undone).rejects.toThrow('undo')
  await beside
  expect((await marks(store.db)).map(({ text }) => text).toSorted()).toEqual(['beside', 'kept'])
})
