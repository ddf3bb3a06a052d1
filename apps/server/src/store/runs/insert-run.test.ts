import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../domain/ids.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeQueryWorld, type QueryWorld } from '../../../testing/store/query-world.ts'
import { openTestStore } from '../../../testing/store/test-store.ts'
import type { Db, Store, Tx } from '../db.ts'
import { insertRun } from './runs-table.ts'

const clock = manualClock()
const random = seededRandom('inserted runs')
const now = clock.now()

let store: Store
let world: QueryWorld
let organizationId: string
let userId: string

beforeAll(async () => {
  store = await openTestStore('postgres')
  world = await makeQueryWorld({ db: store.db, clock, random })
  ;({ organizationId, userId } = world)
})
afterAll(() => store.close())

const addQuery = () => world.addQuery('select 1')

const addRun = (db: Db | Tx, queryId: string, id = newId(random, 'run')) => {
  const given = { parameterValues: {}, parameterTypes: {}, renderedSql: 'select 1', runAt: now }
  return insertRun(db, { id, organizationId, queryId, triggerId: userId, ...given })
}
const end = (db: Db | Tx, queryId: string) =>
  sql`update runs set status = 'failed', failure_reason = 'stopped', completed_at = ${now} where query_id = ${queryId}`.execute(db)

test('inserts nothing while the query has an unfinished run, and continues the numbering after it', async () => {
  const queryId = await addQuery()
  expect(await addRun(store.db, queryId)).toMatchObject({ number: 1, status: 'pending' })
  expect(await addRun(store.db, queryId)).toBeUndefined()
  await end(store.db, queryId)
  expect(await addRun(store.db, queryId)).toMatchObject({ number: 2 })
})

test('does not mistake an existing id for an unfinished run', async () => {
  const [first, second] = [await addQuery(), await addQuery()]
  const { id } = (await addRun(store.db, first))!
  await expect(addRun(store.db, second, id)).rejects.toMatchObject({ code: '23505', constraint: 'runs_pkey' })
  expect(await addRun(store.db, second)).toMatchObject({ number: 1 })
})

test('uses the next number if another run took this one and ended in between', async () => {
  const queryId = await addQuery()
  const other = Promise.withResolvers<void>()
  const inserted = Promise.withResolvers<void>()
  const ended = store.db.transaction().execute(async (tx) => {
    await addRun(tx, queryId)
    await end(tx, queryId)
    inserted.resolve()
    await other.promise
  })
  await inserted.promise
  const mine = addRun(store.db, queryId)
  while ((await waitingForLocks()) === 0) await pollPause()
  other.resolve()
  await ended
  expect(await mine).toMatchObject({ number: 2, status: 'pending' })
})

async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db)
  return rows[0]!.count
}
