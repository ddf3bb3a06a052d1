import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import {
  at,
  expectRefusal,
  isUuid,
  parameter,
  unknownShortId,
  type StoredQuery,
  storeQuery,
  storeReference,
  unknownUuid,
} from '../../../testing/http/requests.ts'

const visualization = {
  type: 'bar',
  jsxConfig: '<BarChart><XAxis dataKey="n" /><Bar dataKey="n" /></BarChart>',
  marginConfig: { top: 1, right: 2.5, bottom: 0, left: -4 },
}

describe.each(routeStoreKinds)('the query reference routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let query: StoredQuery

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    query = await storeQuery(shop, 'select n from numbers')
  })
  afterAll(() => service.stop())

  const now = () => service.clock.now().toISOString()
  const create = () => shop.admin.api('POST', '/api/queries/refs', { queryId: query.id })
  const path = (shortId: string) => `/api/queries/refs/${shortId}`

  test('create returns the base fields and the defaults', async () => {
    const answer = await create()
    expect(answer.statusCode).toBe(201)
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^ref_\w{22}$/),
      shortId: expect.stringMatching(/^[2-9a-hj-km-np-zA-HJ-NP-Z]{10}$/),
      title: 'Untitled query',
      description: null,
      isOptimistic: false,
      createdBy: shop.admin.caller.userId,
      createdAt: now(),
      updatedAt: now(),
      currentQuery: { id: query.id, sql: 'select n from numbers' },
    })
  })

  test('the UUID of the query is case-insensitive', async () => {
    const answer = await shop.admin.api('POST', '/api/queries/refs', { queryId: query.id.toUpperCase() })
    expect(answer.json().currentQuery).toEqual({ id: query.id, sql: query.sql })
  })

  test('several references point to the same query, each with its own shortId', async () => {
    const [one, other] = [(await create()).json(), (await create()).json()]
    expect(one.shortId).not.toBe(other.shortId)
    expect(one.currentQuery).toEqual(other.currentQuery)
  })

  test('create rejects an unknown query', async () => {
    const answer = await shop.admin.api('POST', '/api/queries/refs', { queryId: unknownUuid })
    expectRefusal(answer, 'query_not_found', { message: new RegExp(unknownUuid) })
  })

  test.each([
    [{}, '/queryId'],
    [{ queryId: 'abc' }, '/queryId'],
    [{ queryId: 12 }, '/queryId'],
    [{ queryId: null }, '/queryId'],
    [{ queryId: unknownUuid, title: 'mine' }, '/title'],
    [{ queryId: unknownUuid, isOptimistic: true }, '/isOptimistic'],
  ])('create rejects the body %j', async (body, place) => {
    expectRefusal(await shop.admin.api('POST', '/api/queries/refs', body), 'invalid_request', at(place))
  })

  test('retrieve adds the parameters, and the visualization if there is one', async () => {
    const bare = (await create()).json()
    const retrieved = await shop.admin.api('GET', path(bare.shortId))
    expect(retrieved.statusCode).toBe(200)
    expect(retrieved.json()).toEqual({ ...bare, parameters: [] })

    const parameters = [parameter('city', 'text', 'Paris'), parameter('least', 'number', '')]
    const { shortId } = await storeReference(shop, query.id, { parameters, visualization })
    const inFull = (await shop.admin.api('GET', path(shortId))).json()
    expect(inFull).toEqual({ ...bare, id: inFull.id, shortId, parameters, visualization })
  })

  test('list and update show neither visualization nor parameters', async () => {
    const parameters = [parameter('city', 'text', 'Paris')]
    const { shortId } = await storeReference(shop, query.id, { parameters, visualization })
    const updated = await shop.admin.api('PUT', path(shortId), { title: 'With a chart' })
    const base = {
      id: expect.stringMatching(/^ref_/),
      shortId,
      title: 'With a chart',
      description: null,
      isOptimistic: false,
      createdBy: shop.admin.caller.userId,
      createdAt: now(),
      updatedAt: now(),
      currentQuery: { id: query.id, sql: query.sql },
    }
    expect(updated.statusCode).toBe(200)
    expect(updated.json()).toEqual(base)
    const listed = (await shop.admin.api('GET', '/api/queries/refs?limit=100')).json()
    expect(listed).toEqual({ items: expect.any(Array) })
    expect(listed.items.find((item: { shortId: string }) => item.shortId === shortId)).toEqual(base)
    expect((await shop.admin.api('GET', path(shortId))).json()).toEqual({ ...base, parameters, visualization })
  })

  test('update changes only the given fields and refreshes updatedAt', async () => {
    const created = (await create()).json()
    const put = async (body: object) => {
      await service.clock.advance(1000)
      return (await shop.admin.api('PUT', path(created.shortId), body)).json()
    }
    const titled = await put({ title: 'Sales' })
    expect(titled).toEqual({ ...created, title: 'Sales', updatedAt: now() })
    expect(titled.updatedAt).not.toBe(created.updatedAt)
    expect(await put({ description: 'By month' })).toEqual({
      ...titled,
      description: 'By month',
      updatedAt: now(),
    })
    expect(await put({})).toEqual({ ...titled, description: 'By month', updatedAt: now() })
    expect(await put({ description: null })).toEqual({ ...titled, updatedAt: now() })
    expect((await shop.admin.api('GET', path(created.shortId))).json()).toEqual({
      ...titled,
      updatedAt: now(),
      parameters: [],
    })
  })

  test.each([
    [{ shortId: unknownShortId }, '/shortId'],
    [{ queryId: unknownUuid }, '/queryId'],
    [{ currentQuery: { id: unknownUuid } }, '/currentQuery'],
    [{ isOptimistic: true }, '/isOptimistic'],
    [{ visualization: null }, '/visualization'],
    [{ title: '' }, '/title'],
    [{ title: null }, '/title'],
    [{ title: 12 }, '/title'],
    [{ title: ['a'] }, '/title'],
    [{ title: 'x'.repeat(201) }, '/title'],
    [{ description: false }, '/description'],
    [{ description: 'x'.repeat(5001) }, '/description'],
  ])('update rejects %o and changes nothing', async (body, place) => {
    const created = (await create()).json()
    await service.clock.advance(1000)
    const answer = await shop.admin.api('PUT', path(created.shortId), { title: 'good', ...body })
    expectRefusal(answer, 'invalid_request', at(place))
    expect((await shop.admin.api('GET', path(created.shortId))).json()).toEqual({ ...created, parameters: [] })
  })

  test('delete returns the deleted record; the reference is gone, its query stays', async () => {
    const created = (await create()).json()
    const permalink = () => service.app.inject(`/q/${created.shortId}`)
    expect((await permalink()).statusCode).toBe(200)
    await service.clock.advance(5000)

    const deleted = await shop.admin.api('DELETE', path(created.shortId))
    expect(deleted.statusCode).toBe(200)
    expect(deleted.json()).toEqual({
      id: created.id,
      shortId: created.shortId,
      title: 'Untitled query',
      description: null,
      queryId: query.id,
      createdAt: created.createdAt,
      updatedAt: created.updatedAt,
      deletedAt: now(),
    })

    for (const again of [
      await shop.admin.api('GET', path(created.shortId)),
      await shop.admin.api('PUT', path(created.shortId), { title: 'back' }),
      await shop.admin.api('PUT', path(created.shortId), {}),
      await shop.admin.api('DELETE', path(created.shortId)),
    ]) {
      expectRefusal(again, 'reference_not_found', { message: new RegExp(created.shortId) })
    }
    expect((await permalink()).statusCode).toBe(404)
    const listed = (await shop.admin.api('GET', '/api/queries/refs?limit=100')).json()
    expect(listed.items.map((item: { id: string }) => item.id)).not.toContain(created.id)
    expect((await shop.admin.api('GET', `/api/queries/${query.id}`)).statusCode).toBe(200)
  })

  test.each([
    ['unknown', unknownShortId],
    ['too short', 'short'],
    ['with a character that no shortId has', 'abcdefghj0'],
    ['with a NUL', '%00'],
    ['with SQL in it', '%27%20or%201=1'],
    ['with a path in it', '..%2F..%2Fetc'],
    ['with an emoji', '%F0%9F%92%A9'],
    ['of 12,000 characters', 'a'.repeat(12_000)],
  ])('a shortId that is %s is not found', async (_, shortId) => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? {} : undefined
      expectRefusal(await shop.admin.api(method, path(shortId), body), 'reference_not_found')
    }
    expect((await service.app.inject(`/q/${shortId}`)).statusCode).toBe(404)
  })

  test('a reserved reference is optimistic until its query exists', async () => {
    const reserved = (await shop.admin.page('POST', '/app/api/references', {})).json()
    const queryId = reserved.currentQuery.id
    const expected = {
      id: expect.stringMatching(/^ref_/),
      shortId: reserved.shortId,
      title: 'Untitled query',
      description: null,
      isOptimistic: true,
      createdBy: shop.admin.caller.userId,
      createdAt: now(),
      updatedAt: now(),
      currentQuery: { id: isUuid, sql: '' },
      parameters: [],
    }
    expect(reserved).toEqual({ ...expected, verification: null, freshForSeconds: null })
    expect((await shop.admin.api('GET', path(reserved.shortId))).json()).toEqual(expected)
    expect((await service.app.inject(`/q/${reserved.shortId}`)).statusCode).toBe(200)
    for (const [method, url, body] of [
      ['GET', `/api/queries/${queryId}`, undefined],
      ['GET', `/api/queries/${queryId}/result`, undefined],
      ['POST', `/api/queries/${queryId}/refresh`, undefined],
      ['POST', '/api/queries/refs', { queryId }],
    ] as const) {
      expectRefusal(await shop.admin.api(method, url, body), 'query_not_found')
    }

    const patch = (body: object) => shop.admin.page('PATCH', `/app/api/references/${reserved.shortId}`, body)
    expectRefusal(await patch({ sql: 'select 1 as one' }), 'invalid_request', at('/analyticalDatabaseConfigId'))
    const made = await patch({ sql: 'select 1 as one', analyticalDatabaseConfigId: shop.databaseId })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toEqual({
      ...expected,
      isOptimistic: false,
      currentQuery: { id: queryId, sql: 'select 1 as one' },
      verification: null,
      freshForSeconds: null,
    })
    expect((await shop.admin.api('GET', `/api/queries/${queryId}`)).json()).toMatchObject({
      id: queryId,
      sql: 'select 1 as one',
    })
  })

  test('the permalink carries no data of the reference', async () => {
    const { shortId } = await storeReference(shop, query.id, { title: 'Layoffs <b>plan</b>' })
    const page = await service.app.inject(`/q/${shortId}`)
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).not.toMatch(/Layoffs|numbers|shop/)
  })
})
