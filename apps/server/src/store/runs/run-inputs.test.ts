import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeQueryWorld, type QueryWorld } from '../../../testing/store/query-world.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { newId } from '../../domain/ids.ts'
import { claimRun } from './claim-run.ts'
import { endRun, failPendingRun, type RunOutcome } from './end-run.ts'
import { insertRunWithInputs, letRunWithInputsWait } from './run-inputs.ts'
import { insertRun } from './runs-table.ts'

describe.each(storeKinds)('runs with inputs on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom('run inputs')
  let store: TestStore
  let world: QueryWorld

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    world = await makeQueryWorld({ db: store.db, clock, random })
  })
  afterAll(() => store.close())

  const newRun = async (queryId?: string, renderedSql = 'select 1') => ({
    id: newId(random, 'run'),
    organizationId: world.organizationId,
    queryId: queryId ?? (await world.addQuery('select 1')),
    triggerId: world.userId,
    parameterValues: {},
    parameterTypes: {},
    renderedSql,
    runAt: clock.now(),
  })
  const inputs = (...runIds: string[]) => runIds.map((inputRunId) => ({ referenceId: 'ref_x', parameterValues: { n: 1 }, inputRunId }))
  const claim = async () => {
    const { run } = await claimRun(store.db, { workerId: 'worker_1', leaseMs: 1000, fullDatabaseConfigIds: [] })
    await run?.committed
    return run
  }
  const completed = (hash: string): RunOutcome => ({ status: 'completed', rowCount: 1, sizeBytes: 1, hash, statistics: { rowsRead: 0, rowsWritten: 0 } })
  const recorded = (runId: string) =>
    store.db.selectFrom('run_inputs').select(['position', 'status', 'result_hash']).where('run_id', '=', runId).orderBy('position').execute()

  async function end(runId: string, outcome: RunOutcome) {
    const claimed = await claim()
    expect(claimed?.id).toBe(runId)
    await endRun(store.db, { ...claimed!, workerId: 'worker_1' }, outcome)
  }

  test('start once all their inputs have completed', async () => {
    const [first, second, outer] = [await newRun(), await newRun(), await newRun()]
    await insertRun(store.db, first)
    await clock.advance(1)
    await insertRun(store.db, { ...second, runAt: clock.now() })
    await insertRunWithInputs(store.db, outer, inputs(first.id, second.id))
    await end(first.id, completed('a'))
    expect(await recorded(outer.id)).toEqual([
      { position: 1, status: 'completed', result_hash: 'a' },
      { position: 2, status: 'waiting', result_hash: null },
    ])
    await end(second.id, completed('b'))
    await end(outer.id, completed('c'))
    expect(await claim()).toBeUndefined()
  })

  test('start at once if an input has failed, so that they fail, too', async () => {
    const [first, second, outer] = [await newRun(), await newRun(), await newRun()]
    await insertRun(store.db, first)
    await insertRun(store.db, second)
    await insertRunWithInputs(store.db, outer, inputs(first.id, second.id))
    await failPendingRun(store.db, { runId: second.id, reason: 'stopped', now: clock.now() })
    expect(await recorded(outer.id)).toMatchObject([{ status: 'waiting' }, { status: 'failed' }])
    await failPendingRun(store.db, { runId: first.id, reason: 'stopped', now: clock.now() })
    await end(outer.id, { status: 'failed', reason: 'input failed' })
  })

  test('can be stopped while they wait', async () => {
    const [input, outer] = [await newRun(), await newRun()]
    await insertRun(store.db, input)
    await insertRunWithInputs(store.db, outer, inputs(input.id))
    expect(await failPendingRun(store.db, { runId: outer.id, reason: 'stopped', now: clock.now() })).toMatchObject({ id: outer.id })
    await end(input.id, completed('a'))
    expect(await claim()).toBeUndefined()
  })

  test('keep their inputs while they wait for another run of their query', async () => {
    const [input, blocking] = [await newRun(), await newRun()]
    await insertRun(store.db, input)
    await clock.advance(1)
    await insertRun(store.db, { ...blocking, runAt: clock.now() })
    const outer = await newRun(blocking.queryId, 'select 2')
    expect(await insertRunWithInputs(store.db, outer, inputs(input.id))).toBeUndefined()
    expect(await letRunWithInputsWait(store.db, outer, inputs(input.id))).toBe(true)
    await failPendingRun(store.db, { runId: blocking.id, reason: 'stopped', now: clock.now() })
    await end(input.id, completed('a'))
    await end(outer.id, completed('b'))
  })

  // The embedded store has one connection, so nothing happens at the same time.
  test.each(kind === 'postgres' ? [kind] : [])('learn of an input that ends while they are inserted', async () => {
    const [input, outer] = [await newRun(), await newRun()]
    await insertRun(store.db, input)
    let ending: Promise<unknown> | undefined
    await store.db.transaction().execute(async (tx) => {
      await insertRunWithInputs(tx, outer, inputs(input.id))
      ending = failPendingRun(store.db, { runId: input.id, reason: 'stopped', now: clock.now() })
      await pollPause()
    })
    await ending
    expect(await recorded(outer.id)).toMatchObject([{ status: 'failed' }])
    await end(outer.id, { status: 'failed', reason: 'input failed' })
  })
})
