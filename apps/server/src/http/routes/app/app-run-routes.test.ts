import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('runs on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const now = () => service.clock.now().toISOString()
  const start = async (sql: string) => {
    const { id } = await storeQuery(shop, sql)
    return (await shop.admin.page('POST', `/app/api/queries/${id}/runs`)).json()
  }
  const get = async (runId: string) => (await shop.admin.page('GET', `/app/api/runs/${runId}`)).json()
  const cancel = (runId: string) => shop.admin.page('POST', `/app/api/runs/${runId}/cancel`)

  test('a run with all details, before and after it ends', async () => {
    const started = await start('select n from numbers')
    const run = {
      id: expect.stringMatching(/^run_/),
      queryId: expect.any(String),
      status: 'pending',
      runAt: now(),
      triggerId: shop.admin.caller.userId,
      parameterValues: {},
      renderedSql: 'select n from numbers',
      startedAt: null,
      completedAt: null,
      durationMs: null,
      failureReason: null,
      isStopped: false,
      errorPosition: null,
      rowCount: null,
      rowCountSoFar: null,
      progress: null,
      rowsRead: null,
      rowsWritten: null,
      bytesRead: null,
      resultSizeBytes: null,
      triggeredBy: { kind: 'user', name: 'admin', automationId: null, chatShortId: null },
      references: [],
      inputs: [],
    }
    expect(started).toEqual(run)
    await service.ended(shop.admin.caller, started.id)
    const ended = {
      ...run,
      status: 'completed',
      startedAt: now(),
      completedAt: now(),
      durationMs: 0,
      rowCount: 10,
      rowsRead: expect.any(Number),
      rowsWritten: 0,
      bytesRead: null,
      resultSizeBytes: expect.any(Number),
    }
    expect(await get(started.id)).toEqual(ended)
    const history = await shop.admin.page('GET', `/app/api/queries/${started.queryId}/runs`)
    const { references: _, inputs: __, ...listed } = ended
    expect(history.json()).toEqual({ items: [listed] })
    const { shortId, title } = await storeReference(shop, started.queryId, { title: 'Shown here' })
    expect((await get(started.id)).references).toEqual([{ shortId, title }])
    const query = (await shop.admin.page('GET', `/app/api/queries/${started.queryId}`)).json()
    expect(query.references).toEqual([{ shortId, title }])
    await shop.admin.page('DELETE', `/app/api/references/${shortId}`)
    expect((await get(started.id)).references).toEqual([])
  })

  test.each([
    ['selec 1', { line: 1, column: 1 }],
    ["select '😀',\n  n,\n  /* ü */ missing\nfrom numbers", { line: 3, column: 11 }],
    ['select n\r\nfrom\r\n\tnowhere', { line: 3, column: 2 }],
    ['select (', { line: 1, column: 9 }],
    ["select n, cast('x' || n as integer) from numbers", { line: 1, column: 11 }],
    ["select error('n = ' || n) from numbers", null],
    ['select 1; select 2', null],
    ['drop table numbers', null],
  ])('%s fails at %o', async (sql, errorPosition) => {
    const { id } = await start(sql)
    const { failureReason } = await service.ended(shop.admin.caller, id)
    expect(await get(id)).toMatchObject({ status: 'failed', failureReason, errorPosition })
    // The message mentions the position too.
    expect(/\n\nLINE (\d+): .*\n *\^$/s.exec(failureReason!)?.[1]).toBe(errorPosition?.line.toString())
  })

  test('the run history of a query is paginated, newest first, and names who ran it', async () => {
    const { id } = await storeQuery(shop, 'select {{n}} + 1 as next')
    await storeReference(shop, id, { parameters: [parameter('n', 'number', '1')] })
    const member = await shop.addPerson('member', 'maria@shop.test')
    for (const [index, begin] of [
      () => shop.admin.page('POST', `/app/api/queries/${id}/runs`),
      () => shop.admin.api('POST', `/api/queries/${id}/refresh`),
      () => member.page('POST', `/app/api/queries/${id}/runs`, { parameterValues: { n: 5 } }),
    ].entries()) {
      await endOf(service, shop, begin())
      await service.clock.advance(1000 * (index + 1))
    }
    const history = (query: string) => shop.admin.page('GET', `/app/api/queries/${id}/runs${query}`)
    const first = (await history('?limit=2')).json()
    expect(first.items).toMatchObject([
      { triggeredBy: { kind: 'user', name: 'maria' }, parameterValues: { n: 5 }, rowCount: 1, durationMs: expect.any(Number) },
      { triggeredBy: { kind: 'key', name: 'key of admin@shop.test' }, parameterValues: { n: 1 } },
    ])
    const second = (await history(`?limit=2&cursor=${first.nextCursor}`)).json()
    expect(second).toEqual({ items: [expect.objectContaining({ triggeredBy: expect.objectContaining({ kind: 'user', name: 'admin' }) })] })
    const other = await storeQuery(shop, 'select 1')
    const ofOtherQuery = await shop.admin.page('GET', `/app/api/queries/${other.id}/runs?cursor=${first.nextCursor}`)
    expectRefusal(ofOtherQuery, 'cursor_invalid', { details: expect.anything() })
    expectRefusal(await history('?limit=0'), 'invalid_request', { details: expect.anything() })
  })

  test('a person sees the runs they started, newest first, and no others', async () => {
    const maria = await shop.addPerson('member', 'runner@shop.test')
    const own = async (query = '') => (await maria.page('GET', `/app/api/runs${query}`)).json<{ items: { id: string }[] }>().items
    expect(await own()).toEqual([])
    const { id } = await storeQuery(shop, 'select 1 as mine')
    const first = await endOf(service, shop, maria.page('POST', `/app/api/queries/${id}/runs`))
    await service.clock.advance(1000)
    await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`))
    await service.clock.advance(1000)
    const { shortId } = await storeReference(shop, id, { title: 'Mine' })
    const second = await endOf(service, shop, maria.page('POST', `/app/api/references/${shortId}/runs`))
    const reference = { shortId, title: 'Mine' }
    expect(await own()).toMatchObject([{ id: second.id, reference, status: 'completed' }, { id: first.id, reference, rowCount: 1 }])
    expect(await own('?limit=1')).toMatchObject([{ id: second.id }])
  })

  test('a canceled statement fails with a reason that names who stopped it', async () => {
    const run = await start('select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3')
    while ((await get(run.id)).status === 'pending');
    const canceled = await cancel(run.id)
    expect(canceled.statusCode).toBe(200)
    expect(await service.ended(shop.admin.caller, run.id)).toMatchObject({
      status: 'failed',
      failureReason: 'Stopped by admin.',
      isStopped: true,
    })
    expectRefusal(await cancel(run.id), 'run_already_ended', { message: /already failed/ })
    // The query can be run again.
    const again = await shop.admin.page('POST', `/app/api/queries/${run.queryId}/runs`)
    expect(again.statusCode).toBe(202)
    await cancel(again.json().id)
    await service.ended(shop.admin.caller, again.json().id)
  })

  test('a completed run cannot be canceled', async () => {
    const { id } = await storeQuery(shop, 'select 1')
    const run = await endOf(service, shop, shop.admin.api('POST', `/api/queries/${id}/refresh`))
    expectRefusal(await cancel(run.id), 'run_already_ended', { message: /already completed/ })
    expect((await get(run.id)).status).toBe('completed')
  })
})

describe('a pending run', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres', { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  test('that is canceled fails at once with a reason that names who stopped it', async () => {
    const { id } = await storeQuery(shop, 'select 1')
    const run = (await shop.admin.api('POST', `/api/queries/${id}/refresh`)).json()
    const member = await shop.addPerson('member', 'maria@shop.test')
    expectRefusal(await shop.admin.page('GET', `/app/api/runs/${run.id}/result`), 'result_not_available')
    const canceled = await member.page('POST', `/app/api/runs/${run.id}/cancel`)
    expect(canceled.json()).toEqual({
      ...run,
      status: 'failed',
      startedAt: null,
      completedAt: service.clock.now().toISOString(),
      durationMs: null,
      failureReason: 'Stopped by maria before it started.',
      isStopped: true,
      errorPosition: null,
      rowCount: null,
      rowCountSoFar: null,
      progress: null,
      rowsRead: null,
      rowsWritten: null,
      bytesRead: null,
      resultSizeBytes: null,
      triggeredBy: { kind: 'key', name: 'key of admin@shop.test', automationId: null, chatShortId: null },
      references: [],
      inputs: [],
    })
    expectRefusal(await member.page('POST', `/app/api/runs/${run.id}/cancel`), 'run_already_ended')
    expectRefusal(await shop.admin.page('GET', `/app/api/runs/${run.id}/result`), 'result_not_available')
    expect((await shop.admin.api('POST', `/api/queries/${id}/refresh`)).statusCode).toBe(202)
  })
})
