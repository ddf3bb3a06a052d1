import type { InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { makeRetiredFinder } from './query-api-retirement.ts'
import { expectRefusal, unknownShortId, startTime, storeQuery, storeReference, unknownUuid } from '../../testing/http/requests.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'PURGE'] as const
const retiredPaths = [
  '/api/queries',
  '/api/queries/',
  '/api/queries?limit=1000',
  '/api/queries?limit=%00',
  '/api/queries?',
  '/api/%71ueries',
  '/%61pi/queries',
  '/api/%71%75eries/refs',
  '/api/queries/refs',
  '/api/queries/refs/',
  `/api/queries/refs/${unknownShortId}`,
  `/api/queries/${unknownUuid}`,
  `/api/queries/${unknownUuid}/result`,
  `/api/queries/${unknownUuid}/refresh`,
  '/api/queries/not-a-uuid',
  '/api/queries/some/unknown/path',
  '/api/%71ueries/some/unknown/path',
  '/api/queries/%ZZ',
  '/api/%71ueries/%ZZ',
  `/api/queries/${'x'.repeat(9000)}`,
]

describe('the retired query API', () => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService('postgres', { queryApi: { state: 'retired', sunset: null } })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  test.each(retiredPaths)('%# returns 404 for every method, with and without a key', async (url) => {
    for (const method of methods) {
      for (const headers of [{}, { authorization: `Bearer ${shop.admin.apiKey}` }, { authorization: 'Bearer nonsense' }]) {
        const answer = await service.app.inject({ method: method as NonNullable<InjectOptions['method']>, url, headers })
        expect(answer.statusCode, method).toBe(404)
        expect(answer.headers['retry-after']).toBeUndefined()
        expect(answer.headers['deprecation']).toBeUndefined()
        if (method !== 'HEAD') expectRefusal(answer, 'route_retired', { message: /permanent/ })
      }
    }
  })

  test('returns 404 whatever the body', async () => {
    const payload = '['.repeat(2 * 1024 * 1024)
    const answer = await service.app.inject({ method: 'POST', url: '/api/queries/refs', payload })
    expectRefusal(answer, 'route_retired')
  })

  test.each(['/api/queriesx', '/api/query', '/api', '/api/other/queries', '/API/QUERIES'])(
    '%s is not part of it',
    async (url) => expectRefusal(await service.app.inject(url), 'route_not_found'),
  )

  test('everything else keeps working: /api/me, the web app’s routes, permalinks', async () => {
    expect((await shop.admin.api('GET', '/api/me')).statusCode).toBe(200)
    const { id } = await storeQuery(shop, 'select 1 as one')
    const { shortId } = await storeReference(shop, id)
    const run = await shop.admin.page('POST', `/app/api/references/${shortId}/runs`)
    await service.ended(shop.admin.caller, run.json().id)
    expect((await shop.admin.page('GET', `/app/api/queries/${id}/result`)).json().rows).toEqual([[1]])
    expect((await shop.admin.page('GET', '/app/api/queries')).statusCode).toBe(200)
    expect((await shop.admin.page('GET', '/app/api/references')).statusCode).toBe(200)
    expect((await service.app.inject('/queries')).statusCode).toBe(200)
    expect((await service.app.inject(`/q/${shortId}`)).statusCode).toBe(200)
    expect((await service.app.inject('/healthz')).statusCode).toBe(200)
  })
})

describe('a scheduled sunset', () => {
  let service: TestService
  afterEach(() => service.stop())

  test('is announced until it is reached, then retires the routes without a restart', async () => {
    const sunset = new Date('2026-01-05T10:00:00Z')
    service = await startTestService('postgres', { queryApi: { state: 'active', sunset } })
    const shop = await service.addOrganization('shop')
    const { id } = await storeQuery(shop, 'select 1')
    const announcement = {
      deprecation: `@${Date.parse(startTime) / 1000}`,
      sunset: 'Mon, 05 Jan 2026 10:00:00 GMT',
      link: '<https://querypost.test/docs/errors#route_retired>; rel="deprecation"; type="text/html"',
    }
    const announced = async (answer: Promise<{ headers: object }>) => (await answer).headers
    expect(await announced(shop.admin.api('GET', '/api/queries'))).toMatchObject(announcement)
    expect(await announced(shop.admin.api('GET', `/api/queries/${id}`))).toMatchObject(announcement)
    expect(await announced(shop.admin.api('GET', '/api/queries/refs/nothing'))).toMatchObject(announcement)
    expect(await announced(service.app.inject('/api/queries'))).toMatchObject(announcement)
    for (const other of [shop.admin.api('GET', '/api/me'), shop.admin.page('GET', '/app/api/queries')]) {
      const { headers } = await other
      expect([headers['deprecation'], headers['sunset'], headers['link']]).toEqual([undefined, undefined, undefined])
    }

    service.clock.leap(sunset.getTime() - Date.parse(startTime) - 1)
    expect((await shop.admin.api('GET', '/api/queries')).statusCode).toBe(200)
    await service.clock.advance(1)
    for (const answer of [await shop.admin.api('GET', '/api/queries'), await service.app.inject('/api/queries/refs')]) {
      expectRefusal(answer, 'route_retired')
      expect([answer.headers['deprecation'], answer.headers['sunset']]).toEqual([undefined, undefined])
    }
    expect((await shop.admin.api('GET', '/api/me')).statusCode).toBe(200)
    expect((await shop.admin.page('GET', `/app/api/queries/${id}`)).statusCode).toBe(200)
  })

  test('without a sunset, active routes send no deprecation headers', async () => {
    service = await startTestService('postgres')
    const shop = await service.addOrganization('shop')
    const { headers, statusCode } = await shop.admin.api('GET', '/api/queries')
    expect(statusCode).toBe(200)
    expect([headers['deprecation'], headers['sunset'], headers['link']]).toEqual([undefined, undefined, undefined])
  })
})

test('recognizes a retired URL by its path, for requests that reach no route', () => {
  const clock = manualClock()
  const findRetired = makeRetiredFinder({ setting: { state: 'retired', sunset: null }, clock })
  expect(findRetired('/api/%71ueries/x?a=b')?.code).toBe('route_retired')
  expect(findRetired('/api/me')).toBeUndefined()
  const active = makeRetiredFinder({ setting: { state: 'active', sunset: null }, clock })
  expect(active('/api/queries')).toBeUndefined()
})
