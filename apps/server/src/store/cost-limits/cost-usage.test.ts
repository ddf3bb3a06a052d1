import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeQueryWorld, type QueryWorld } from '../../../testing/store/query-world.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { newId } from '../../domain/ids.ts'
import { noCostLimits } from '../../model/cost-limits.ts'
import { setCostLimits } from '../people/organizations-table.ts'
import { insertRun } from '../runs/runs-table.ts'
import { letRunWait } from '../runs/waiting-runs.ts'
import { addCostUsage, lockCostLimits, readCostLimits, readCostUsage, removeOldCostUsage } from './cost-usage.ts'

const dayMs = 24 * 3600_000

describe.each(storeKinds)('cost usage on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom('cost usage')
  let store: TestStore
  let world: QueryWorld

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    world = await makeQueryWorld({ db: store.db, clock, random })
  })
  afterAll(() => store.close())

  const add = (personId: string, bytes: number, runId?: string) =>
    store.db.transaction().execute((tx) =>
      addCostUsage(tx, { organizationId: world.organizationId, personId, bytes, ...(runId !== undefined && { runId }) }),
    )
  const used = (personId: string) => readCostUsage(store.db, { organizationId: world.organizationId, personId })

  test('limits are stored as a whole, and removed with the last one', async () => {
    const { organizationId } = world
    expect(await readCostLimits(store.db, organizationId)).toBeUndefined()
    const limits = { ...noCostLimits, perQueryBytes: Number.MAX_SAFE_INTEGER }
    await setCostLimits(store.db, organizationId, limits)
    expect(await readCostLimits(store.db, organizationId)).toEqual(limits)
    expect(await store.db.transaction().execute((tx) => lockCostLimits(tx, organizationId))).toEqual(limits)
    await setCostLimits(store.db, organizationId, noCostLimits)
    expect(await readCostLimits(store.db, organizationId)).toBeUndefined()
  })

  test('is added up by person and organization, also concurrently', async () => {
    expect(await used('ada')).toEqual({ personBytes: 0, organizationBytes: 0 })
    await Promise.all(Array.from({ length: 10 }, () => add('ada', 5e12)))
    await add('bob', 7)
    expect(await used('ada')).toEqual({ personBytes: 5e13, organizationBytes: 5e13 + 7 })
    expect(await used('bob')).toEqual({ personBytes: 7, organizationBytes: 5e13 + 7 })
  })

  test('counts a run that was recorded or waits, and no other', async () => {
    const queryId = await world.addQuery('select 1')
    const newRun = (renderedSql: string) => ({
      id: newId(random, 'run'), organizationId: world.organizationId, queryId, triggerId: world.userId, parameterValues: {}, parameterTypes: {},
      renderedSql, runAt: clock.now(),
    })
    const [first, waiting, neither] = [newRun('select 1'), newRun('select 2'), newRun('select 3')]
    await insertRun(store.db, first)
    expect(await letRunWait(store.db, waiting)).toBe(true)
    for (const { id } of [first, waiting, neither]) await add('cyd', 1, id)
    expect(await used('cyd')).toMatchObject({ personBytes: 2 })
  })

  test('starts over on the store’s next day; old rows are removed', async () => {
    await clock.advance(dayMs)
    expect(await used('ada')).toEqual({ personBytes: 0, organizationBytes: 0 })
    await add('ada', 3)
    expect(await removeOldCostUsage(store.db, { before: clock.now(), batchSize: 2 })).toBe(2)
    expect(await removeOldCostUsage(store.db, { before: clock.now(), batchSize: 2 })).toBe(1)
    expect(await used('ada')).toEqual({ personBytes: 3, organizationBytes: 3 })
  })
})
