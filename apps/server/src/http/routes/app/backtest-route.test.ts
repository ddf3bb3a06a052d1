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
  })

  test('rejects conditions that cannot be replayed, and invalid ones', async () => {
    const fault = (path: string) => ({ details: [{ path, message: expect.any(String) }] })
    expectRefusal(await backtest({ kind: 'changed' }), 'invalid_request', fault('/condition/kind'))
    expectRefusal(await backtest({ kind: 'row_count', comparison: '=', number: 1 }), 'invalid_request', fault('/condition/comparison'))
    expectRefusal(await backtest({ kind: 'alert', tests: [] }), 'invalid_request', fault('/condition/tests'))
    expectRefusal(await backtest({ kind: 'alert', reference: 'aaaaaaaaaa', tests: [{ kind: 'no_rows' }] }), 'reference_not_found', expect.anything())
  })
})
