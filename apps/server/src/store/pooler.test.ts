import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sqlDeliveriesOn } from '../../testing/deliveries/sql-deliveries.ts'
import { deliveryStoreConformance } from '../../testing/deliveries/delivery-store-conformance.ts'
import { endOf, storeQuery } from '../../testing/http/requests.ts'
import { hasPgbouncer } from '../../testing/servers/pgbouncer.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openPooledStore } from '../../testing/store/pooled-store.ts'
import type { TestStore } from '../../testing/store/test-store.ts'
import { startTestService } from '../../testing/test-service.ts'
import { sqlWorkOn } from '../../testing/work/sql-work.ts'
import { workStoreConformance } from '../../testing/work/work-store-conformance.ts'
import { systemClock } from '../ports/clock.ts'
import { openPostgres } from './db.ts'
import { migrate } from './migrate.ts'
import { canPrepareThrough, isBehindPooler } from './pooler.ts'
import { prepared } from './prepared.ts'
import { asViewer } from './viewer.ts'
import { makeSqlWorkerRegistry } from './workers/worker-registry.ts'

const many = Array.from({ length: 20 }, (_, index) => index)

async function connect(url: string) {
  const client = new pg.Client(url)
  await client.connect()
  return client
}

test('a direct connection is not behind a pooler', async () => {
  const client = await connect(inject('postgresUrl'))
  expect(await isBehindPooler(client)).toBe(false)
  await client.end()
})

describe.each(hasPgbouncer ? ['PgBouncer that pools transactions'] : [])('behind %s', () => {
  let store: TestStore
  beforeAll(async () => {
    store = await openPooledStore()
  })
  afterAll(() => store.close())

  test('each statement gets another connection', async () => {
    const ids = new Set<number>()
    for (const _ of many) {
      const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(store.db)
      ids.add(rows[0]!.id)
    }
    expect(ids.size).toBeGreaterThan(4)
  })

  test('the pooler is noticed', async () => {
    const client = await connect(store.url!)
    expect(await isBehindPooler(client)).toBe(true)
    await client.end()
  })

  test('several processes may probe at once for prepared statements', async () => {
    const answers = await Promise.all(many.slice(0, 6).map(() => canPrepareThrough(store.url!)))
    expect(new Set(answers).size).toBe(1)
  })

  test('statements that would be prepared work on every connection, alone and in transactions', async () => {
    const double = async (db: typeof store.db, value: number) =>
      (await sql<{ doubled: number }>`${prepared} select ${value}::integer * 2 as doubled`.execute(db)).rows[0]!.doubled
    const alone = await Promise.all(many.map((value) => double(store.db, value)))
    const within = await Promise.all(many.map((value) => store.db.transaction().execute((tx) => double(tx, value))))
    expect([alone, within]).toEqual([many.map((value) => value * 2), many.map((value) => value * 2)])
  })

  test('no connection remembers a viewer', async () => {
    const viewer = { id: 'usr_viewer', hiddenDatabaseIds: [], hiddenFolderIds: [] }
    const seenBy = async () =>
      (await sql<{ viewer: string | null }>`select nullif(current_setting('querypost.viewer', true), '') as viewer`.execute(store.db)).rows[0]!.viewer
    for (const _ of many) {
      expect(await asViewer(viewer, seenBy)).toBe('usr_viewer')
      expect(await seenBy()).toBeNull()
    }
  })

  test('processes that start together migrate and bootstrap in turns, and keep no lock', async () => {
    let inside = 0
    const start = async () => {
      expect((await migrate({ db: store.directDb, clock: systemClock })).applied).toEqual([])
      return store.oneAtATime(async () => {
        inside += 1
        await sql`select 1`.execute(store.db)
        return inside--
      })
    }
    expect(await Promise.all([start(), start(), start()])).toEqual([1, 1, 1])
    const { rows } = await sql`select from pg_locks where locktype = 'advisory' and database = (
      select oid from pg_database where datname = current_database())`.execute(store.db)
    expect(rows).toEqual([])
  })

  test('a process wakes another, and both know that the other is present', async () => {
    const { host, port } = store.server!
    const directUrl = Object.assign(new URL(store.url!), { host: `${host}:${port}` }).href
    const other = await openPostgres({ url: store.url!, directUrl, clock: systemClock, log: silentLog })
    const woken = new Promise<void>((resolve) => other.wakeups.listen('runs', () => resolve()))
    store.wakeups.wake('runs')
    await woken
    const registries = [store, other].map(({ db, session }) => makeSqlWorkerRegistry({ db, session: session! }))
    for (const [index, registry] of registries.entries()) expect(await registry.enter(`worker_${index}`)).toBe(true)
    for (const _ of many) {
      for (const registry of registries) expect((await registry.look()).filter(({ isAbsent }) => isAbsent)).toEqual([])
    }
    await other.close()
  })

  test('the service runs a query and returns its result', async () => {
    const service = await startTestService('postgres', { openStore: openPooledStore })
    const organization = await service.addOrganization('acme')
    const query = await storeQuery(organization, 'select sum(n) as total from numbers')
    const refreshing = organization.admin.api('POST', `/api/queries/${query.id}/refresh`)
    expect(await endOf(service, organization, refreshing)).toMatchObject({ status: 'completed' })
    await service.stop()
  })

  workStoreConformance({ name: 'the SQL store of background work', open: () => sqlWorkOn(openPooledStore) })

  deliveryStoreConformance({
    name: 'the SQL store of deliveries',
    open: () => sqlDeliveriesOn(openPooledStore),
  })
})
