import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeQueryWorld, type QueryWorld } from '../../../testing/store/query-world.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { newId } from '../../domain/ids.ts'
import { claimRun } from './claim-run.ts'
import { failPendingRun } from './end-run.ts'
import { insertRun, listRunsOfQuery } from './runs-table.ts'
import { countWaitingRuns, letRunWait } from './waiting-runs.ts'

describe.each(storeKinds)('waiting runs on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom('waiting runs')
  const now = clock.now()
  let store: TestStore
  let world: QueryWorld
  let organizationId: string
  let userId: string

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    world = await makeQueryWorld({ db: store.db, clock, random })
    ;({ organizationId, userId } = world)
  })
  afterAll(() => store.close())

  const addQuery = () => world.addQuery('select {{n}}')
  const runOf = (queryId: string, n: number) => ({
    id: newId(random, 'run'),
    organizationId,
    queryId,
    triggerId: userId,
    parameterValues: { n },
    parameterTypes: { n: 'number' as const },
    renderedSql: `select ${n}`,
    runAt: clock.now(),
  })
  const end = (runId: string) => failPendingRun(store.db, { runId, reason: 'stopped', now })
  const runsOf = async (queryId: string) => {
    const runs = await listRunsOfQuery(store.db, { organizationId, queryId, count: 10 })
    return runs.map(({ number, status, renderedSql }) => `${number} ${status} ${renderedSql}`)
  }

  test('start one after the other, oldest first, each when the one before ends', async () => {
    const queryId = await addQuery()
    const first = (await insertRun(store.db, runOf(queryId, 1)))!
    const second = runOf(queryId, 2)
    expect(await letRunWait(store.db, second)).toBe(true)
    await clock.advance(1)
    const third = runOf(queryId, 3)
    expect(await letRunWait(store.db, third)).toBe(true)
    expect(await countWaitingRuns(store.db, organizationId)).toBe(2)
    expect(await runsOf(queryId)).toEqual(['1 pending select 1'])

    await end(first.id)
    expect(await runsOf(queryId)).toEqual(['2 pending select 2', '1 failed select 1'])
    await end(second.id)
    await end(third.id)
    expect(await runsOf(queryId)).toEqual(['3 failed select 3', '2 failed select 2', '1 failed select 1'])
    expect(await countWaitingRuns(store.db, organizationId)).toBe(0)
    const [newest] = await listRunsOfQuery(store.db, { organizationId, queryId, count: 1 })
    expect(newest).toMatchObject({ id: third.id, triggerId: userId, parameterValues: { n: 3 }, runAt: clock.now() })
  })

  test('wait once for the same SQL, and not for a run with the same SQL', async () => {
    const queryId = await addQuery()
    const first = (await insertRun(store.db, runOf(queryId, 1)))!
    await letRunWait(store.db, runOf(queryId, 1))
    await letRunWait(store.db, runOf(queryId, 2))
    await letRunWait(store.db, runOf(queryId, 2))
    expect(await countWaitingRuns(store.db, organizationId)).toBe(1)
    await end(first.id)
    expect(await runsOf(queryId)).toEqual(['2 pending select 2', '1 failed select 1'])
  })

  test('wait once for the same SQL and bindings, so that everyone gets a result of their own', async () => {
    const queryId = await addQuery()
    const boundRun = (rowBindings: string) => ({ ...runOf(queryId, 1), rowBindings })
    let running: string | undefined = (await insertRun(store.db, boundRun('["a"]')))!.id
    for (const bindings of ['["b"]', '["c"]', '["b"]', '["a"]']) {
      await clock.advance(1)
      expect(await letRunWait(store.db, boundRun(bindings))).toBe(true)
    }
    await letRunWait(store.db, runOf(queryId, 1))
    expect(await countWaitingRuns(store.db, organizationId)).toBe(3)
    const started: (string | null)[] = []
    while (running !== undefined) {
      await end(running)
      const next = await store.db.selectFrom('runs').select(['id', 'row_bindings']).where('query_id', '=', queryId).where('status', '=', 'pending').executeTakeFirst()
      if (next) started.push(next.row_bindings)
      running = next?.id
    }
    expect(started).toEqual(['["b"]', '["c"]', null])
    expect(await countWaitingRuns(store.db, organizationId)).toBe(0)
  })

  test('need not wait for a query without an unfinished run', async () => {
    const queryId = await addQuery()
    expect(await letRunWait(store.db, runOf(queryId, 1))).toBe(false)
    expect(await countWaitingRuns(store.db, organizationId)).toBe(0)
  })

  // The embedded store has one connection, so its transactions never meet.
  const kindsThatMeet = storeKinds.filter((each) => each === kind && each === 'postgres')
  test.each(kindsThatMeet)('start even if the run before ends just when they begin to wait, on %s', async () => {
    const queryId = await addQuery()
    const first = (await insertRun(store.db, runOf(queryId, 1)))!
    const isWaiting = Promise.withResolvers<void>()
    const isCommitted = Promise.withResolvers<void>()
    const joining = store.db.transaction().execute(async (tx) => {
      await letRunWait(tx, runOf(queryId, 2))
      isWaiting.resolve()
      await isCommitted.promise
    })
    await isWaiting.promise
    const ending = end(first.id)
    while (!(await isEndingBlocked())) await pollPause()
    isCommitted.resolve()
    await Promise.all([joining, ending])
    expect(await runsOf(queryId)).toEqual(['2 pending select 2', '1 failed select 1'])
  })

  test.each(kindsThatMeet)('wake workers, whose claims skip the run before while it is locked, on %s', async () => {
    const claim = async () => (await claimRun(store.db, { workerId: 'worker_1', leaseMs: 1000, fullDatabaseConfigIds: [] })).run?.id
    // Those of other tests.
    while (await claim());
    const queryId = await addQuery()
    const first = (await insertRun(store.db, runOf(queryId, 1)))!
    const claims: Promise<string | undefined>[] = []
    await store.db.transaction().execute(async (tx) => {
      await letRunWait(tx, runOf(queryId, 2))
      expect(await claim()).toBeUndefined()
      store.wakeups.listen('runs', () => claims.push(claim()))
    })
    expect(claims.length).toBeGreaterThan(0)
    expect(await Promise.all(claims)).toContain(first.id)
  })

  async function isEndingBlocked(): Promise<boolean> {
    const { rows } = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(store.db)
    return rows.length > 0
  }
})
