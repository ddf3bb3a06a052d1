import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { at, endOf, expectRefusal, isUuid, storeQuery, unknownUuid } from '../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('the query routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const now = () => service.clock.now().toISOString()
  const retrieve = async (queryId: string) => (await shop.admin.api('GET', `/api/queries/${queryId}`)).json()
  const listed = async (queryId: string) => {
    const { items } = (await shop.admin.api('GET', '/api/queries?limit=100')).json<{ items: { id: string }[] }>()
    return items.find(({ id }) => id === queryId)
  }

  test('a stored query, before its first run', async () => {
    const query = await storeQuery(shop, 'select 1 as one')
    const fields = {
      id: isUuid,
      sql: 'select 1 as one',
      analyticalDatabaseConfigId: shop.databaseId,
      createdBy: shop.admin.caller.userId,
      createdAt: now(),
      updatedAt: now(),
    }
    expect(query).toEqual({ ...fields, latestRun: null, latestRunMetadata: null })
    expect(await retrieve(query.id)).toEqual({ ...fields, latestRun: null, latestRunMetadata: null })
    expect(await listed(query.id)).toEqual({ ...fields, latestRun: null })
    expect((await shop.admin.api('GET', `/api/queries/${query.id.toUpperCase()}`)).json().id).toBe(query.id)
  })

  test('refresh, then retrieve, then read the result', async () => {
    const query = await storeQuery(shop, 'select n, n * 2 as doubled from numbers order by n')
    const refreshed = await shop.admin.api('POST', `/api/queries/${query.id}/refresh`)
    expect(refreshed.statusCode).toBe(202)
    const run = refreshed.json()
    expect(run).toEqual({
      id: expect.stringMatching(/^run_\w{22}$/),
      queryId: query.id,
      status: 'pending',
      runAt: now(),
      triggerId: expect.stringMatching(/^key_\w{22}$/),
      parameterValues: {},
      renderedSql: 'select n, n * 2 as doubled from numbers order by n',
    })
    await service.ended(shop.admin.caller, run.id)

    const { latestRunMetadata: _, ...fields } = { ...query, latestRun: undefined, latestRunMetadata: undefined }
    expect(await retrieve(query.id)).toEqual({
      ...fields,
      latestRun: { id: run.id, status: 'completed', runAt: run.runAt, completedAt: now() },
      latestRunMetadata: {
        status: 'completed',
        rowsRead: expect.any(Number),
        rowsWritten: 0,
        bytesRead: null,
        rowCount: 10,
        durationMs: 0,
        failureReason: null,
      },
    })
    expect(await listed(query.id)).toEqual({
      ...fields,
      latestRun: { id: run.id, status: 'completed', runAt: run.runAt },
    })
    const result = await shop.admin.api('GET', `/api/queries/${query.id}/result`)
    expect(result.statusCode).toBe(200)
    expect(result.json()).toEqual({
      fields: [
        { name: 'n', type: 'integer' },
        { name: 'doubled', type: 'integer' },
      ],
      rows: Array.from({ length: 10 }, (_, n) => [n, n * 2]),
      rowCount: 10,
    })
  })

  test('SQL that fails gives a failed run with the engine’s message, and the service keeps working', async () => {
    const query = await storeQuery(shop, 'select nothing from nowhere')
    const run = await endOf(service, shop, shop.admin.api('POST', `/api/queries/${query.id}/refresh`))
    expect(run).toMatchObject({ status: 'failed', failureReason: expect.stringContaining('nowhere does not exist') })
    expect(await retrieve(query.id)).toMatchObject({
      latestRun: { id: run.id, status: 'failed', runAt: now(), completedAt: now() },
      latestRunMetadata: {
        status: 'failed',
        rowsRead: null,
        rowsWritten: null,
        bytesRead: null,
        rowCount: null,
        durationMs: 0,
        failureReason: run.failureReason,
      },
    })
    const result = await shop.admin.api('GET', `/api/queries/${query.id}/result`)
    expectRefusal(result, 'result_not_available', { message: /nowhere does not exist/ })
    // It has ended, so it can be refreshed again.
    await endOf(service, shop, shop.admin.api('POST', `/api/queries/${query.id}/refresh`))
  })

  test('return 404 for an unknown query', async () => {
    for (const [method, rest] of [['GET', ''], ['GET', '/result'], ['POST', '/refresh']] as const) {
      const answer = await shop.admin.api(method, `/api/queries/${unknownUuid}${rest}`)
      expectRefusal(answer, 'query_not_found', { message: new RegExp(unknownUuid) })
    }
  })

  test.each([
    ['a word', 'abc'],
    ['a NUL', '%00'],
    ['one character less', unknownUuid.slice(1)],
    ['one character more', `${unknownUuid}0`],
    ['a URN', `urn:uuid:${unknownUuid}`],
    ['one without hyphens', unknownUuid.replaceAll('-', '')],
    ['12,000 characters', 'a'.repeat(12_000)],
  ])('reject %s instead of a UUID', async (_, id) => {
    for (const [method, rest] of [['GET', ''], ['GET', '/result'], ['POST', '/refresh']] as const) {
      expectRefusal(await shop.admin.api(method, `/api/queries/${id}${rest}`), 'invalid_request', at('queryId', 'must be a UUID'))
    }
  })
})

describe('a run that has not ended', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres', { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  test('has no completedAt on retrieve, and no such key in lists', async () => {
    const { id } = await storeQuery(shop, 'select 1')
    const run = (await shop.admin.api('POST', `/api/queries/${id}/refresh`)).json()
    const latestRun = { id: run.id, status: 'pending', runAt: run.runAt }
    expect((await shop.admin.api('GET', `/api/queries/${id}`)).json()).toMatchObject({
      latestRun: { ...latestRun, completedAt: null },
      latestRunMetadata: {
        status: 'pending',
        rowsRead: null,
        rowsWritten: null,
        bytesRead: null,
        rowCount: null,
        durationMs: null,
        failureReason: null,
      },
    })
    expect((await shop.admin.api('GET', '/api/queries')).json().items[0].latestRun).toEqual(latestRun)
    const result = await shop.admin.api('GET', `/api/queries/${id}/result`)
    expectRefusal(result, 'result_not_available', { message: /one is pending/ })
  })
})
