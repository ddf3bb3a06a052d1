import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { type PostgresServer, startPostgresServer } from '../../testing/servers/postgres-server.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore, storeKinds } from '../../testing/store/test-store.ts'
import { rememberedLookup } from './batched-lookup.ts'
import { type Db, openPostgres, type Store } from './db.ts'
import { makeMoments, type Moment, momentOfStatement } from './moments.ts'

describe.each(storeKinds)('what is remembered on %s', (kind) => {
  let store: Store
  let db: Db
  let moment: Moment
  let reads: number
  let lookup: (key: number) => Promise<number | undefined>

  /** Of its own: what happens in any database of a server is news to all of them, and other tests are at work on the shared one. */
  let server: PostgresServer | undefined
  beforeAll(async () => {
    if (kind === 'postgres') server = await startPostgresServer()
  })
  afterAll(() => server?.stop())
  const open = () =>
    server ? openPostgres({ url: server.url, clock: systemClock, log: silentLog }) : openTestStore(kind, { isNew: true })

  beforeEach(async () => {
    store = await open()
    db = store.db
    await sql`drop table if exists counters`.execute(db)
    await sql`create table counters (id integer primary key, value integer not null)`.execute(db)
    await sql`insert into counters select id, 0 from generate_series(1, 3) as id`.execute(db)
    moment = makeMoments(db)
    reads = 0
    lookup = rememberedLookup<number, number>({
      moment,
      async read(keys) {
        reads++
        const { rows } = await sql<{ id: number; value: number; moment: string }>`
          select id, value, ${momentOfStatement} as moment from counters where id = any(${keys}::integer[])`.execute(db)
        return { moment: rows[0]?.moment, values: new Map(rows.map(({ id, value }) => [id, value])) }
      },
    })
  })
  afterEach(() => store.close())

  const set = (id: number, value: number, on: Db = db) =>
    sql`update counters set value = ${value} where id = ${id}`.execute(on)

  test('is used while nothing changes, and read anew after any change', async () => {
    for (let time = 0; time < 5; time++) expect(await lookup(1)).toBe(0)
    // The second reading shows that nothing changes; from then on asking for the moment is enough.
    expect(reads).toBe(2)
    await set(1, 7)
    for (let time = 0; time < 5; time++) expect(await lookup(1)).toBe(7)
    expect(reads).toBe(4)
    await sql`delete from counters where id = 1`.execute(db)
    expect(await lookup(1)).toBeUndefined()
  })

  test('never hides a change that was acknowledged before the lookup was asked for', async () => {
    const latest = [0, 0, 0, 0]
    async function write(id: number) {
      for (let value = 1; value <= 60; value++) {
        await set(id, value)
        latest[id] = value
      }
    }
    let isWriting = true
    async function read(id: number) {
      while (isWriting) {
        const least = latest[id]!
        expect(await lookup(id)).toBeGreaterThanOrEqual(least)
      }
    }
    const readers = [1, 2, 3, 1, 2, 3].map(read)
    await Promise.all([1, 2, 3].map(write))
    isWriting = false
    await Promise.all(readers)
    expect(await Promise.all([1, 2, 3].map(lookup))).toEqual([60, 60, 60])
  })
})

test('a transaction that was open when a value was read is seen when it commits', async () => {
  const store = await openTestStore('postgres', { isNew: true })
  const { db } = store
  await sql`create table counters (id integer primary key, value integer not null)`.execute(db)
  await sql`insert into counters values (1, 0)`.execute(db)
  const lookup = rememberedLookup<number, number>({
    moment: makeMoments(db),
    async read() {
      const { rows } = await sql<{ value: number; moment: string }>`
        select value, ${momentOfStatement} as moment from counters`.execute(db)
      return { moment: rows[0]!.moment, values: new Map([[1, rows[0]!.value]]) }
    },
  })
  const open = await db.startTransaction().execute()
  await sql`update counters set value = 1`.execute(open)
  expect(await lookup(1)).toBe(0)
  expect(await lookup(1)).toBe(0)
  await open.commit().execute()
  expect(await lookup(1)).toBe(1)

  const undone = await db.startTransaction().execute()
  await sql`update counters set value = 2`.execute(undone)
  expect(await lookup(1)).toBe(1)
  await undone.rollback().execute()
  expect(await lookup(1)).toBe(1)
  await store.close()
})
