import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { automationsUrl, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

describe.each(routeStoreKinds)('backtests on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let orders: string

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    orders = await storeReferenceTo(shop, 'select 0', 'Orders')
    for (const total of [10, 20, 50, 40, 10]) {
      const sql = `select n as id, n * ${total} as total from numbers where n between 1 and ${total / 10}`
      await shop.admin.page('PATCH', `/app/api/references/${orders}`, { sql })
      const { id } = (await shop.admin.page('POST', `/app/api/references/${orders}/runs`, {})).json()
      await service.ended(shop.admin.caller, id)
      while (await service.services.db.selectFrom('archive_jobs').select('run_id').where('state', '=', 'due').executeTakeFirst()) await pollPause()
      service.clock.leap(24 * 3600_000)
    }
  })
  afterAll(() => service.stop())

  const backtest = (condition: object) => shop.admin.page('POST', `${automationsUrl}/backtest`, { condition: { reference: orders, ...condition } })

  test('replays an alert over the kept results, the same each time', async () => {
    const condition = { kind: 'alert', tests: [{ kind: 'threshold', column: 'total', aggregate: 'max', comparison: '>', number: 100, resolveAt: 60 }] }
    const first = (await backtest(condition)).json()
    expect(first).toMatchObject({ resultCount: 5, remaining: 0, messageCount: 2, silentDays: 3 })
    expect(first.points.map((point: { value: string; status: string }) => [point.value, point.status])).toEqual([
      ['10', 'ok'],
      ['40', 'ok'],
      ['250', 'firing'],
      ['160', 'firing'],
      ['10', 'resolved'],
    ])
    expect(first.firings).toMatchObject([{ severity: 'warning', finding: 'The highest "total" is 250, which is > 100.' }])
    expect((await backtest(condition)).json()).toEqual(first)
  })

  test('replays new rows and conditions without a state', async () => {
    const rows = (await backtest({ kind: 'alert', tests: [{ kind: 'new_rows', keyColumns: ['id'] }] })).json()
    expect(rows.firings.map(({ finding }: { finding: string }) => finding)).toEqual(['There is 1 new row.'])
    expect(rows.messageCount).toBe(2)
    const plain = (await backtest({ kind: 'row_count', comparison: '>=', number: 4 })).json()
    expect(plain.firings).toHaveLength(1)
    expect((await backtest({ kind: 'changed' })).json().firings).toHaveLength(4)
    expect((await backtest({ kind: 'row_count', comparison: '=', number: 1 })).json().firings).toHaveLength(2)
    const values = async (comparison: string, number: number, column = 'total') =>
      (await backtest({ kind: 'value', column, comparison, number })).json().points.map(({ status }: { status: string }) => status)
    expect(await values('=', 160)).toEqual(['ok', 'ok', 'ok', 'firing', 'ok'])
    expect(await values('!=', 10)).toEqual(['ok', 'firing', 'firing', 'firing', 'ok'])
    expect(await values('=', 1, 'none')).toEqual(['failing', 'failing', 'failing', 'failing', 'failing'])
  })

  test('writes the summaries of the digest again, newest first, a page at a time', async () => {
    const digests = async (more: object) => (await shop.admin.page('POST', `${automationsUrl}/digest-backtest`, { references: [orders], ...more })).json()
    const { summaries, count, nextBefore } = await digests({})
    expect([count, summaries.length, nextBefore]).toEqual([5, 5, null])
    expect(summaries[0].summary).toContain('since the last run')
    expect(summaries[0].isNotable).toBe(true)
    expect(summaries[4].summary).toContain('First report')
    const earlier = await digests({ before: summaries[2].at })
    expect(earlier.summaries).toEqual(summaries.slice(3))
    expect((await digests({ schedule: { cron: '0 0 1 1 *', timeZone: 'UTC' } })).count).toBe(0)
  })

  test('rejects a backtest of a digest without queries, and one with an unreadable schedule', async () => {
    const ask = (body: object) => shop.admin.page('POST', `${automationsUrl}/digest-backtest`, body)
    const fault = (path: string) => ({ details: [{ path, message: expect.any(String) }] })
    expectRefusal(await ask({ references: [] }), 'invalid_request', fault('/references'))
    expectRefusal(await ask({ references: [orders], schedule: { cron: 'soon', timeZone: 'UTC' } }), 'invalid_request', fault('/schedule/cron'))
  })

  test('rejects invalid conditions', async () => {
    const fault = (path: string) => ({ details: [{ path, message: expect.any(String) }] })
    expectRefusal(await backtest({ kind: 'alert', tests: [] }), 'invalid_request', fault('/condition/tests'))
    expectRefusal(await backtest({ kind: 'alert', reference: 'aaaaaaaaaa', tests: [{ kind: 'no_rows' }] }), 'reference_not_found', expect.anything())
  })
})
