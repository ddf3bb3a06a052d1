import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { endOf, storeQuery } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('the last test of a database on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const setLastTest = (lastTest: object | null) =>
    service.services.db
      .updateTable('analytical_database_configs')
      .set({ last_test: JSON.stringify(lastTest) })
      .where('id', '=', shop.databaseId)
      .execute()

  const run = async (sql: string) => {
    const { id } = await storeQuery(shop, sql)
    const ended = await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`, {}))
    await service.services.pendingJobs.settled()
    return ended
  }

  const lastTest = async () =>
    (await shop.admin.page('GET', `/app/api/databases/${shop.databaseId}`)).json<{ lastTest: unknown }>().lastTest

  test('is a run that the database answered, and keeps what an earlier test found', async () => {
    await setLastTest({ ok: false, message: 'It did not answer.', testedAt: '2020-01-01T00:00:00.000Z' })
    expect((await run('select no_such_column from numbers')).status).toBe('failed')
    expect(await lastTest()).toMatchObject({ ok: false })

    expect((await run('select n from numbers')).status).toBe('completed')
    const answeredAt = service.clock.now().toISOString()
    expect(await lastTest()).toEqual({ ok: true, testedAt: answeredAt })

    const known = { ok: true, durationMs: 7, version: 'DuckDB v1' }
    await setLastTest({ ...known, testedAt: answeredAt })
    service.clock.leap(60_000)
    await run('select n + 1 from numbers')
    expect(await lastTest()).toEqual({ ...known, testedAt: service.clock.now().toISOString() })
  })

  test('stays a later test', async () => {
    const later = { ok: false, message: 'It did not answer.', testedAt: '2999-01-01T00:00:00.000Z' }
    await setLastTest(later)
    service.clock.leap(60_000)
    await run('select n + 2 from numbers')
    expect(await lastTest()).toEqual(later)
  })
})
