import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automationsUrl, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { makeSqlHistoryFillStore } from '../../../store/history/history-fills.ts'

describe.each(routeStoreKinds)('filling the history on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let orders: string

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    orders = await referenceByDay(shop)
  })
  afterAll(() => service.stop())

  async function referenceByDay(organization: TestOrganization, { sql = 'select day({{day}}) as total', type = 'date' } = {}): Promise<string> {
    const shortId = await storeReferenceTo(organization, sql, 'Orders')
    const day = { name: 'day', displayName: 'Day', type, defaultValue: '2026-01-01', description: '' }
    const answer = await organization.admin.page('PATCH', `/app/api/references/${shortId}`, { parameters: [day] })
    expect(answer.statusCode, answer.body).toBe(200)
    return shortId
  }
  const fillOf = (shortId: string) => `/app/api/references/${shortId}/history-fill`
  const start = (body: object, shortId = orders) => shop.admin.page('POST', fillOf(shortId), body)
  const backtest = async (shortId = orders) => {
    const condition = { reference: shortId, kind: 'alert', tests: [{ kind: 'threshold', column: 'total', comparison: '>', number: 0 }] }
    return (await shop.admin.page('POST', `${automationsUrl}/backtest`, { condition })).json()
  }

  test('runs the query for past days, and the backtest uses them at their days', async () => {
    expect(await backtest()).toMatchObject({ resultCount: 0, dateParameters: ['day'], fill: null })
    const started = await start({ parameter: 'day', days: 3 })
    expect(started.statusCode, started.body).toBe(201)
    expect(started.json()).toMatchObject({ dayCount: 3, state: 'due' })
    let found = await backtest()
    while (found.resultCount < 3) {
      await pollPause()
      found = await backtest()
    }
    expect(found.fill).toMatchObject({ state: 'completed', doneCount: 3, failedCount: 0 })
    const today = Date.parse(`${service.clock.now().toISOString().slice(0, 10)}T00:00:00Z`)
    const days = [3, 2, 1].map((ago) => new Date(today - ago * 24 * 3600_000))
    expect(found.points.map(({ at, value }: { at: string; value: string }) => [at, value])).toEqual(
      days.map((day) => [day.toISOString(), String(day.getUTCDate())]),
    )
    expectRefusal(await start({ parameter: 'day', days: 3 }), 'history_fill_not_needed')
  })

  test('fills a timestamp, and replayed digests say what contributed most', async () => {
    const sql = `select channel, share * day({{day}}) as revenue from (values ('web', 1), ('app', 10)) as sales (channel, share)`
    const shortId = await referenceByDay(shop, { sql, type: 'timestamp' })
    await start({ parameter: 'day', days: 2 }, shortId)
    while ((await backtest(shortId)).resultCount < 2) await pollPause()
    const { summaries } = (await shop.admin.page('POST', `${automationsUrl}/digest-backtest`, { references: [shortId] })).json()
    expect(summaries.map(({ summary }: { summary: string }) => summary.includes('By channel, app contributed most'))).toEqual([true, false])
  })

  test('rejects other parameters, and too many days', async () => {
    const fault = (path: string) => ({ details: [{ path, message: expect.any(String) }] })
    expectRefusal(await start({ parameter: 'none', days: 3 }), 'history_fill_not_possible')
    expectRefusal(await start({ parameter: 'day', days: 101 }), 'invalid_request', fault('/days'))
  })

  test('the backtest counts results of filled days that are still being stored', async () => {
    const shortId = await referenceByDay(shop)
    await start({ parameter: 'day', days: 2 }, shortId)
    while ((await backtest(shortId)).resultCount < 2) await pollPause()
    expect((await backtest(shortId)).storingCount).toBe(0)
    const { rows } = await sql<{ runId: string }>`
      select run_id as "runId" from filled_results join query_references on id = reference_id where short_id = ${shortId}`.execute(service.services.db)
    // As if the worker that stores results was behind.
    await sql`
      update archive_jobs set state = 'due', ended_at = null, next_attempt_at = 'infinity' where run_id = ${rows[0]!.runId}`.execute(service.services.db)
    expect(await backtest(shortId)).toMatchObject({ storingCount: 1, fill: { state: 'completed' } })
  })

  test('is stopped by a person', async () => {
    const shortId = await referenceByDay(shop)
    await start({ parameter: 'day', days: 100 }, shortId)
    expectRefusal(await start({ parameter: 'day', days: 2 }, shortId), 'history_fill_running')
    expect((await shop.admin.page('DELETE', fillOf(shortId))).statusCode).toBe(204)
    expect((await backtest(shortId)).fill).toMatchObject({ state: 'stopped' })
  })
})

describe.each(routeStoreKinds)('the store of fills on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  test('continues with the same day after a crash, and ignores a worker that lost its lease', async () => {
    const shortId = await storeReferenceTo(shop, 'select {{day}} as day', 'Orders')
    const day = { name: 'day', displayName: 'Day', type: 'date', defaultValue: '2026-01-01', description: '' }
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { parameters: [day] })
    await shop.admin.page('POST', `/app/api/references/${shortId}/history-fill`, { parameter: 'day', days: 2 })
    const store = makeSqlHistoryFillStore(service.services)
    const claim = async () => (await store.claim({ leaseMs: 60_000, count: 1 }))[0]
    const first = (await claim())!
    expect(await claim()).toBeUndefined()
    service.clock.leap(61_000)
    const second = (await claim())!
    expect([second.day, second.attemptNumber]).toEqual([first.day, 2])
    expect(await store.record(first, { state: 'filled', runId: 'run_1' }, { endedAgoMs: 0 })).toBe(false)
    expect(await store.renew({ leaseMs: 60_000, items: [first, second] })).toEqual(new Set([second.id]))
    const record = () => store.record(second, { state: 'filled', runId: 'run_2' }, { endedAgoMs: 0 })
    expect([await record(), await record()]).toEqual([true, true])
    const next = (await claim())!
    expect([next.day < second.day, next.attemptNumber]).toEqual([true, 1])
    expect(await store.record(next, { state: 'missed', reason: 'It failed.' }, { endedAgoMs: 0 })).toBe(true)
    expect(await claim()).toBeUndefined()
  })
})
