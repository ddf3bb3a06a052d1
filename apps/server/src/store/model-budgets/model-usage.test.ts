import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember, createOrganization, createUser } from '../../domain/people/organizations.ts'
import type { ModelLimit } from '../../model/model-budget.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import type { Store } from '../db.ts'
import { addModelUsage, type RecordedModelUse } from './add-model-usage.ts'
import { readModelBudget, removePrices, writeModelBudget, writePrice } from './model-budgets-table.ts'
import { readSpent } from './read-spent.ts'
import { readUsage } from './read-usage.ts'
import { removeOldUsage } from './remove-old-usage.ts'

const dayMs = 24 * 3600_000

describe.each(storeKinds)('model usage on %s', (kind) => {
  const clock = manualClock()
  const random = seededRandom(`model usage ${kind}`)
  let store: Store
  let shop: string
  let bank: string
  let ada: string
  let bob: string

  beforeAll(async () => {
    store = await openTestStore(kind, { clock })
    await store.db.transaction().execute(async (tx) => {
      const deps = { tx, clock, random }
      shop = (await createOrganization(deps, { name: 'Shop' })).id
      bank = (await createOrganization(deps, { name: 'Bank' })).id
      const person = async (name: string, organizationId: string) => {
        const { id: userId } = await createUser(deps, { email: `${name}@shop.test`, name, passwordHash: 'none' })
        await addMember(deps, { organizationId, userId, role: 'admin' })
        return userId
      }
      ada = await person('Ada', shop)
      bob = await person('Bob', shop)
    })
  })
  afterAll(() => store.close())

  const use = (changes: Partial<RecordedModelUse> = {}) =>
    addModelUsage(store.db, {
      organizationId: shop,
      userId: ada,
      sourceId: 'chat_1',
      model: 'large',
      inputTokens: 100,
      outputTokens: 20,
      ...changes,
    })
  const limitTo = (limits: ModelLimit[], organizationId = shop) =>
    store.db.transaction().execute((tx) =>
      writeModelBudget(tx, { organizationId, currency: 'EUR', limits, updatedBy: ada, updatedAt: clock.now() }),
    )
  const setPrice = (model: string, inputPrice: number, outputPrice: number) =>
    store.db.transaction().execute((tx) => writePrice(tx, { organizationId: shop, model, inputPrice, outputPrice }))
  const anyLimit: ModelLimit = { scope: 'person', period: 'day', unit: 'tokens', amount: 1 }
  const spent = async (userId: string, organizationId = shop) => {
    const amounts = (await readSpent(store.db, { organizationId, userId }))!.spent
    return Object.fromEntries(amounts.map(({ scope, period, tokens, money }) => [`${scope} ${period}`, [tokens, money]]))
  }

  test('is not read without limits', async () => {
    expect(await readSpent(store.db, { organizationId: shop, userId: ada })).toBeUndefined()
    await limitTo([])
    expect(await readSpent(store.db, { organizationId: shop, userId: ada })).toBeUndefined()
  })

  test('adds up concurrent requests without losing any', async () => {
    await limitTo([anyLimit])
    await limitTo([anyLimit], bank)
    await Promise.all(Array.from({ length: 20 }, () => use()))
    await use({ userId: bob, sourceId: 'automation_1' })
    expect(await spent(ada)).toEqual({
      'organization day': [2520, 0],
      'organization month': [2520, 0],
      'person day': [2400, 0],
      'person month': [2400, 0],
    })
    expect(await spent(bob)).toMatchObject({ 'organization day': [2520, 0], 'person day': [120, 0] })
    expect(await spent(ada, bank)).toMatchObject({ 'organization month': [0, 0] })
  })

  test('is counted by the store’s day and month', async () => {
    await clock.advance(dayMs)
    await use()
    expect(await spent(ada)).toEqual({
      'organization day': [120, 0],
      'organization month': [2640, 0],
      'person day': [120, 0],
      'person month': [2520, 0],
    })
  })

  test('a first price applies to earlier days, a changed one from today on', async () => {
    // The 21 requests of yesterday and the one of today, at 10 and 50 per million.
    await setPrice('large', 10, 50)
    expect(await spent(ada)).toMatchObject({ 'organization day': [120, 0.002], 'organization month': [2640, 0.044] })
    await setPrice('large', 20, 100)
    await setPrice('large', 30, 150)
    expect(await spent(ada)).toMatchObject({ 'organization day': [120, 0.006], 'organization month': [2640, 0.048] })
    expect((await readModelBudget(store.db, shop)).prices).toEqual([{ model: 'large', inputPrice: 30, outputPrice: 150 }])
  })

  test('is read by day, person, cause and model', async () => {
    await use({ sourceId: 'evaluation_1', model: 'small' })
    const rows = await readUsage(store.db, { organizationId: shop, from: '2026-01-06' })
    const described = rows.map(({ day, grouping, userName, source, model, inputTokens, requestCount, cost }) => [
      day,
      grouping,
      userName ?? source ?? model,
      inputTokens,
      requestCount,
      cost,
    ])
    expect(described).toHaveLength(6)
    expect(described).toEqual(
      expect.arrayContaining([
        ['2026-01-06', 'all', null, 200, 2, 0.006],
        ['2026-01-06', 'person', 'Ada', 200, 2, 0.006],
        ['2026-01-06', 'source', 'chats', 100, 1, 0.006],
        ['2026-01-06', 'source', 'evaluations', 100, 1, null],
        ['2026-01-06', 'model', 'large', 100, 1, 0.006],
        ['2026-01-06', 'model', 'small', 100, 1, null],
      ]),
    )
    const ofBob = await readUsage(store.db, { organizationId: shop, from: '2026-01-01', userId: bob })
    expect(ofBob.map(({ day, grouping, source }) => [day, grouping, source])).toEqual(
      expect.arrayContaining([['2026-01-05', 'source', 'automation_1']]),
    )
    expect(new Set(ofBob.map(({ day }) => day))).toEqual(new Set(['2026-01-05']))
    expect(await readUsage(store.db, { organizationId: bank, from: '2026-01-01' })).toEqual([])
  })

  test('a removed price is removed from all days', async () => {
    await store.db.transaction().execute((tx) => removePrices(tx, { organizationId: shop, model: 'large' }))
    expect(await spent(ada)).toMatchObject({ 'organization month': [2760, 0] })
  })

  test('a new month starts at zero', async () => {
    await clock.advance(31 * dayMs)
    expect(await spent(ada)).toMatchObject({ 'organization month': [0, 0], 'person month': [0, 0] })
  })

  test('old rows are removed in batches; the given day stays', async () => {
    const before = new Date('2026-01-06T12:00:00Z')
    expect(await removeOldUsage(store.db, { before, batchSize: 1 })).toBe(1)
    expect(await removeOldUsage(store.db, { before, batchSize: 10 })).toBe(1)
    expect(await removeOldUsage(store.db, { before, batchSize: 10 })).toBe(0)
    const rows = await readUsage(store.db, { organizationId: shop, from: '2026-01-01' })
    expect(new Set(rows.map(({ day }) => day))).toEqual(new Set(['2026-01-06']))
  })
})
