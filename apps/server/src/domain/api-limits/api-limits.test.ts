import { describe, expect, test } from 'vitest'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { takeApiTokens } from '../../store/api-limits/api-budgets.ts'
import { apiBudgetSweep, judgeAllowance, makeApiLimiter, noApiLimits } from './api-limits.ts'

const now = new Date('2026-01-05T09:00:00.000Z')
const later = (ms: number) => new Date(now.getTime() + ms)

describe('what is left', () => {
  const key = { key: 'key_1', burst: 60, regainMs: 1_000 }
  const organization = { key: 'org_1', burst: 600, regainMs: 100 }

  test('is that of the tighter limit', () => {
    const tokens = [{ key: 'key_1', isTaken: true, fullAt: later(10_000) }, { key: 'org_1', isTaken: true, fullAt: later(59_000) }]
    expect(judgeAllowance([key, organization], tokens, now)).toEqual({ limit: 600, remaining: 10, resetMs: 59_000, waitMs: 0 })
  })

  test('is nothing if one limit is used up, with the time until the next request', () => {
    const tokens = [{ key: 'key_1', isTaken: false, fullAt: later(59_700) }, { key: 'org_1', isTaken: true, fullAt: later(100) }]
    expect(judgeAllowance([key, organization], tokens, now)).toEqual({ limit: 60, remaining: 0, resetMs: 59_700, waitMs: 700 })
  })
})

describe.each(storeKinds)('requests on %s', (kind) => {
  test('are counted for all processes at once, and regained with time', async () => {
    const store = await openTestStore(kind)
    let at = now
    const clock = { now: () => at }
    const makeLimiter = (limits: typeof noApiLimits) => makeApiLimiter({ db: store.db, clock: clock as never }, limits)
    expect(makeLimiter(noApiLimits)).toBeUndefined()
    const processes = [makeLimiter({ perKey: 6, perOrganization: null })!, makeLimiter({ perKey: 6, perOrganization: null })!]
    const send = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, index) => processes[index % 2]!({ keyId: 'key_1', organizationId: 'org_1' })))

    const first = await send(60)
    expect(first.filter(({ waitMs }) => waitMs === 0).map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5])
    expect(first.filter(({ waitMs }) => waitMs > 0).map(({ waitMs }) => waitMs)).toEqual(Array.from({ length: 54 }, () => 10_000))

    at = later(9_999)
    expect((await send(1))[0]).toMatchObject({ waitMs: 1 })
    at = later(20_000)
    expect((await send(3)).map(({ waitMs }) => waitMs).toSorted((a, b) => a - b)).toEqual([0, 0, 10_000])

    at = later(90_000)
    expect((await apiBudgetSweep({ db: store.db, clock: clock as never }).removeBatch()).rows).toBe(1)
    expect((await send(1))[0]).toMatchObject({ remaining: 5, waitMs: 0 })
    const [own, others] = await takeApiTokens(store.db, [{ key: 'key_2', burst: 1, regainMs: 60_000 }, { key: 'key_1', burst: 6, regainMs: 10_000 }], at)
    expect([own!.key, own!.isTaken, others!.isTaken]).toEqual(['key_2', true, true])
    await store.close()
  })
})
