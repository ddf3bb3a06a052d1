import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { at, endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('refresh on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const refresh = (queryId: string) => shop.admin.api('POST', `/api/queries/${queryId}/refresh`)
  const refreshed = async (queryId: string) => {
    const answer = await refresh(queryId)
    await endOf(service, shop, Promise.resolve(answer))
    return answer.json()
  }
  const sql = 'select n from numbers where n >= {{least}} order by n'

  test('reuses the values and types of the last run', async () => {
    const { id } = await storeQuery(shop, sql)
    const { shortId } = await storeReference(shop, id, { parameters: [parameter('least', 'number', '2')] })
    const started = await shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues: { least: 7 } })
    expect(started.json()).toMatchObject({ parameterValues: { least: 7 }, triggerId: shop.admin.caller.userId })
    await endOf(service, shop, Promise.resolve(started))

    // Changing the definition's type and default does not affect a refresh.
    await shop.admin.page('PATCH', `/app/api/references/${shortId}`, { parameters: [parameter('least', 'text', 'x')] })
    const run = await refreshed(id)
    expect(run).toEqual({
      id: expect.stringMatching(/^run_/),
      queryId: id,
      status: 'pending',
      runAt: service.clock.now().toISOString(),
      triggerId: expect.stringMatching(/^key_/),
      parameterValues: { least: 7 },
      renderedSql: sql.replace('{{least}}', '7'),
    })
    expect((await shop.admin.api('GET', `/api/queries/${id}/result`)).json().rows).toEqual([[7], [8], [9]])
    // Again: the last run is now the refresh itself.
    expect(await refreshed(id)).toMatchObject({ parameterValues: { least: 7 } })
  })

  test('reuses the values of the last run even if it failed', async () => {
    const { id } = await storeQuery(shop, `select error('no ' || {{word}})`)
    await storeReference(shop, id, { parameters: [parameter('word', 'text', 'default')] })
    const given = { parameterValues: { word: "it's" } }
    await endOf(service, shop, shop.admin.page('POST', `/app/api/queries/${id}/runs`, given))
    expect(await refreshed(id)).toMatchObject({
      parameterValues: { word: "it's" },
      renderedSql: `select error('no ' || 'it''s')`,
    })
  })

  test('reuses a list, and moves a relative range along', async () => {
    const { id } = await storeQuery(shop, "select n from numbers where n in ({{some}}) and {{period.end}} > date '2000-01-01' order by n")
    const parameters = [{ ...parameter('some', 'number', '[1]'), isList: true }, parameter('period', 'dateRange', 'today')]
    const { shortId } = await storeReference(shop, id, { parameters })
    const given = { parameterValues: { some: ['7', 7, 8], period: 'Last 2 days' } }
    const run = await endOf(service, shop, shop.admin.page('POST', `/app/api/references/${shortId}/runs`, given))
    expect(run.parameterValues).toEqual({ some: [7, 8], period: 'last 2 days' })
    const day = (agoDays: number) => new Date(service.clock.now().getTime() - agoDays * 86_400_000).toISOString().slice(0, 10)
    expect(run.renderedSql).toContain(`in (7, 8) and DATE '${day(1)}'`)
    service.clock.leap(86_400_000)
    const again = await refreshed(id)
    expect(again).toMatchObject({ parameterValues: { some: [7, 8], period: 'last 2 days' } })
    expect(again.renderedSql).toContain(`in (7, 8) and DATE '${day(1)}'`)
    expect((await shop.admin.api('GET', `/api/queries/${id}/result`)).json().rows).toEqual([[7], [8]])
    expect((await shop.admin.api('GET', `/api/queries/refs/${shortId}`)).json().parameters).toEqual(parameters)
  })

  test('the first time, uses the defaults of the oldest existing reference that has any', async () => {
    const { id } = await storeQuery(shop, sql)
    await storeReference(shop, id)
    await service.clock.advance(1000)
    const deleted = await storeReference(shop, id, { parameters: [parameter('least', 'number', '1')] })
    await service.clock.advance(1000)
    await storeReference(shop, id, { parameters: [parameter('least', 'number', '8')] })
    await service.clock.advance(1000)
    await storeReference(shop, id, { parameters: [parameter('least', 'number', '9')] })
    await shop.admin.api('DELETE', `/api/queries/refs/${deleted.shortId}`)
    expect(await refreshed(id)).toMatchObject({
      parameterValues: { least: 8 },
      renderedSql: sql.replace('{{least}}', '8'),
    })
  })

  test('rejects a placeholder without a value, and names it', async () => {
    const { id } = await storeQuery(shop, sql)
    expectRefusal(await refresh(id), 'parameter_missing', { message: /least/ })
    await storeReference(shop, id, { parameters: [parameter('least', 'number', '')] })
    expectRefusal(await refresh(id), 'parameter_missing', { message: /least/ })
    expect((await shop.admin.api('GET', `/api/queries/${id}`)).json().latestRun).toBeNull()
  })

  test('rejects a value that does not fit its type, and names it', async () => {
    const { id } = await storeQuery(shop, sql)
    const { shortId } = await storeReference(shop, id, { parameters: [parameter('least', 'number', '2')] })
    const run = (parameterValues: object) =>
      shop.admin.page('POST', `/app/api/references/${shortId}/runs`, { parameterValues })
    expectRefusal(await run({ least: '1; drop table numbers' }), 'parameter_invalid', { message: /least/ })
    expectRefusal(await run({ least: 2 ** 53 }), 'parameter_invalid', { message: /least/ })
    expectRefusal(await run({ most: 1 }), 'parameter_invalid', { message: /most/ })
    expectRefusal(await run({ least: null }), 'invalid_request', at('/parameterValues/least'))
    expectRefusal(await run({ least: ['a'] }), 'invalid_request', at('/parameterValues/least'))
  })
})

describe.each(routeStoreKinds)('a query that is already running, on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const message = /already running/

  test('cannot be refreshed or run from the web app', async () => {
    const { id } = await storeQuery(shop, 'select 1')
    const { shortId } = await storeReference(shop, id)
    expect((await shop.admin.api('POST', `/api/queries/${id}/refresh`)).statusCode).toBe(202)
    for (const again of [
      await shop.admin.api('POST', `/api/queries/${id}/refresh`),
      await shop.admin.page('POST', `/app/api/queries/${id}/runs`),
      await shop.admin.page('POST', `/app/api/references/${shortId}/runs`),
    ]) {
      expectRefusal(again, 'query_already_running', { message })
    }
    const { items } = (await shop.admin.page('GET', `/app/api/queries/${id}/runs`)).json()
    expect(items).toHaveLength(1)
  })

  test('exactly one of ten concurrent refreshes is accepted', async () => {
    const { id } = await storeQuery(shop, 'select 2')
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => shop.admin.api('POST', `/api/queries/${id}/refresh`)),
    )
    expect(answers.filter(({ statusCode }) => statusCode === 202)).toHaveLength(1)
    for (const answer of answers.filter(({ statusCode }) => statusCode !== 202)) {
      expectRefusal(answer, 'query_already_running', { message })
    }
  })
})

describe('the body of a refresh', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres', { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  async function refresh(headers: Record<string, string>, payload?: string) {
    const { id } = await storeQuery(shop, 'select 1')
    return service.app.inject({
      method: 'POST',
      url: `/api/queries/${id}/refresh`,
      headers: { authorization: `Bearer ${shop.admin.apiKey}`, ...headers },
      ...(payload !== undefined && { payload }),
    })
  }
  const json = { 'content-type': 'application/json' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const text = { 'content-type': 'text/plain' }

  test.each([
    ['nothing at all', {}, undefined],
    ['no body, but the content type of JSON', json, undefined],
    ['an empty body as JSON', json, ''],
    ['an empty body as a form', form, ''],
    ['an empty body as text', text, ''],
    ['{} as JSON', json, '{}'],
    ['{} as JSON with a charset', { 'content-type': 'application/json; charset=utf-8' }, '{}'],
    ['{} as text', text, '{}'],
    ['{} without a content type', {}, '{}'],
  ])('may be %s', async (_, headers, payload) => {
    expect((await refresh(headers, payload)).statusCode).toBe(202)
  })

  test.each([
    ['an unknown field', json, '{"a":1}', at('/a')],
    ['an unknown field as text', text, '{"a":1}', at('/a')],
    ['null', json, 'null', at('/')],
    ['a list', json, '[]', at('/')],
    ['a number', json, '0', at('/')],
    ['a text', json, '""', at('/')],
    ['broken JSON', json, '{', {}],
    ['a form', form, 'a=1', {}],
    ['a field that would change prototypes', json, '{"__proto__":{"a":1}}', {}],
  ])('may not be %s', async (_, headers, payload, details) => {
    expectRefusal(await refresh(headers, payload), 'invalid_request', details)
  })
})
