import { Writable } from 'node:stream'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from './build-app.ts'
import { makeMetrics } from '../domain/metrics.ts'
import type { Services } from '../process/make-services.ts'
import { StoreUnavailable } from '../store/store-unavailable.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { openTestStore } from '../../testing/store/test-store.ts'
import { at, expectRefusal, unknownShortId, storeQuery, unknownUuid } from '../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization
let queryId: string

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  queryId = (await storeQuery(shop, 'select {{missing}}')).id
})
afterAll(() => service.stop())

describe('an error has its status and exactly the documented fields', () => {
  test.each([
    'Basic abc',
    'Bearer',
    'Bearer ',
    'Bearer qp_live_0123456789abcdefghijABCDEFGHIJ01',
    'Bearer two words',
    'Bearer ' + 'x'.repeat(9000),
    "Bearer ' or 1=1 --",
  ])('unauthenticated: Authorization: %s', async (authorization) => {
    expectRefusal(await service.app.inject({ url: '/api/me', headers: { authorization } }), 'unauthenticated')
  })

  test('unauthenticated: no key at all', async () => {
    expectRefusal(await service.app.inject('/api/queries'), 'unauthenticated', { message: /Authorization: Bearer/ })
  })

  test('the name of the scheme is case-insensitive', async () => {
    const headers = { authorization: `bearer ${shop.admin.apiKey}` }
    expect((await service.app.inject({ url: '/api/me', headers })).statusCode).toBe(200)
  })

  test('forbidden', async () => {
    const member = await shop.addPerson('member', 'member@shop.test')
    const answer = await member.page('POST', `/app/api/databases/${shop.databaseId}/test`)
    expectRefusal(answer, 'forbidden', { message: /admin/ })
  })

  test.each([
    ['GET', '/nowhere'],
    ['GET', '/api'],
    ['GET', '/api/unknown'],
    ['GET', '/app/api/unknown'],
    ['GET', '/api/queries/refs/a/b'],
  ] as const)('route_not_found: %s %s', async (method, url) => {
    expectRefusal(await shop.admin.api(method, url), 'route_not_found', { message: new RegExp(`${method} ${url}`) })
  })

  test.each([
    ['PATCH', '/api/queries', 'GET, HEAD'],
    ['DELETE', `/api/queries/${unknownUuid}`, 'GET, HEAD'],
    ['POST', '/api/me', 'GET, HEAD'],
    ['OPTIONS', '/api/me', 'GET, HEAD'],
  ] as const)('method_not_allowed: %s %s', async (method, url, allow) => {
    const answer = await shop.admin.api(method, url)
    expectRefusal(answer, 'method_not_allowed', { message: new RegExp(`${url} does not support the method ${method}`) })
    expect(answer.headers['allow']).toBe(allow)
  })

  test('reference_not_found, query_not_found, run_not_found, database_not_found, api_key_not_found', async () => {
    const { admin } = shop
    expectRefusal(await admin.api('GET', `/api/queries/refs/${unknownShortId}`), 'reference_not_found')
    expectRefusal(await admin.api('GET', `/api/queries/${unknownUuid}`), 'query_not_found')
    for (const id of ['run_unknown', 'odd', '%00', '%20', 'x'.repeat(9000)]) {
      expectRefusal(await admin.page('GET', `/app/api/runs/${id}`), 'run_not_found')
      expectRefusal(await admin.page('POST', `/app/api/runs/${id}/cancel`), 'run_not_found')
      expectRefusal(await admin.page('GET', `/app/api/runs/${id}/result`), 'run_not_found')
      expectRefusal(await admin.page('GET', `/app/api/databases/${id}/tables`), 'database_not_found')
      expectRefusal(await admin.page('POST', `/app/api/databases/${id}/test`), 'database_not_found')
      expectRefusal(await admin.page('DELETE', `/app/api/api-keys/${id}`), 'api_key_not_found')
    }
    const unknownDatabase = { sql: 'select 1', analyticalDatabaseConfigId: 'db_unknown' }
    expectRefusal(await admin.page('POST', '/app/api/queries', unknownDatabase), 'database_not_found')
  })

  test('result_not_available', async () => {
    expectRefusal(await shop.admin.api('GET', `/api/queries/${queryId}/result`), 'result_not_available')
  })

  test('invalid_request lists every invalid field', async () => {
    const answer = await shop.admin.page('POST', '/app/api/queries', { sql: '  ', analyticalDatabaseConfigId: shop.databaseId })
    expectRefusal(answer, 'invalid_request', at('/sql', 'must contain a SQL statement'))
    expectRefusal(await shop.admin.api('POST', '/api/queries/refs', {}), 'invalid_request', at('/queryId', 'is required'))
    const unknown = await shop.admin.api('POST', '/api/queries/refs', { queryId: unknownUuid, other: 1 })
    expectRefusal(unknown, 'invalid_request', at('/other', 'is not a known field; remove it'))
    expectRefusal(await shop.admin.api('GET', '/api/queries?limit=0'), 'invalid_request', at('limit', 'must be >= 1'))
  })

  test('cursor_invalid', async () => {
    expectRefusal(await shop.admin.api('GET', '/api/queries?cursor=x'), 'cursor_invalid', at('cursor'))
  })

  test('parameter_missing names the placeholder', async () => {
    const answer = await shop.admin.api('POST', `/api/queries/${queryId}/refresh`)
    expectRefusal(answer, 'parameter_missing', { message: /missing/ })
  })

  test('a URL that cannot be decoded', async () => {
    expectRefusal(await shop.admin.api('GET', '/api/queries/refs/%ZZ'), 'invalid_request')
    expectRefusal(await shop.admin.api('GET', '/q/%FF'), 'invalid_request')
  })
})

describe('the request id', () => {
  const idOf = async (given?: string) => {
    const headers = given === undefined ? {} : { 'x-request-id': given }
    return (await service.app.inject({ url: '/healthz', headers })).headers['x-request-id']
  }

  test('is on every response and always new', async () => {
    expect(await idOf()).toMatch(/^req_\w{22}$/)
    expect(await idOf()).not.toBe(await idOf())
  })

  test('may be the caller’s own if it is a plain id', async () => {
    expect(await idOf('trace-12345678.a')).toBe('trace-12345678.a')
    for (const odd of ['short', 'x'.repeat(65), 'has spaces in it', '<script>alert(1)</script>', '']) {
      expect(await idOf(odd)).toMatch(/^req_/)
    }
  })
})

describe('an internal error', () => {
  const secret = 'password=hunter2 at /var/lib/secret'
  const logged: string[] = []
  const lines = new Writable({
    write(line, _, done) {
      logged.push(String(line))
      done()
    },
  })
  const logger = pino({}, lines)

  async function faulty(change: Partial<Services>): Promise<FastifyInstance> {
    const services = { ...service.services, ...change }
    return buildApp({ services, queryApi: { state: 'active', sunset: null }, metrics: makeMetrics(), logger })
  }
  const ask = (app: FastifyInstance, url = `/api/queries/${queryId}`) =>
    app.inject({ url, headers: { authorization: `Bearer ${shop.admin.apiKey}` } })

  function expectFault(answer: LightMyRequestResponse): void {
    const requestId = answer.headers['x-request-id'] as string
    expectRefusal(answer, 'internal_error', { message: new RegExp(`request id ${requestId}\\.$`) })
    expect(answer.body).not.toMatch(/hunter2|secret|select|Error|at \//)
    const texts = logged.filter((line) => line.includes(requestId))
    for (const text of texts) expect(text.split(requestId), 'the id is logged once').toHaveLength(2)
    const lines = texts.map((text) => JSON.parse(text))
    expect(lines).toContainEqual(expect.objectContaining({ level: 50, requestId }))
    expect(lines).toContainEqual(expect.objectContaining({ level: 30, requestId, status: 500, msg: 'request completed' }))
  }

  test('is a 503 with Retry-After while the store is unavailable', async () => {
    const app = await faulty({ findQuery: () => Promise.reject(new StoreUnavailable(secret)) })
    const answer = await ask(app)
    expectRefusal(answer, 'store_unavailable', { message: /Try again/ })
    expect(answer.statusCode).toBe(503)
    expect(answer.json().type).toBe('api_error')
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.body).not.toMatch(/hunter2|secret/)
    expect(logged.join('')).toContain('store unavailable')
    await app.close()
  })

  test('shows no internals, and is logged with the request id', async () => {
    const app = await faulty({ findQuery: () => Promise.reject(new Error(secret)) })
    expectFault(await ask(app))
    expect(logged.join('')).toContain('hunter2')
    await app.close()
  })

  test.each([
    ['a string', secret],
    ['nothing', undefined],
    ['an object with a status', Object.assign(new Error(secret), { statusCode: 200 })],
  ])('shows no internals when the thrown value is %s', async (_, thrown) => {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    const app = await faulty({ findQuery: () => Promise.reject(thrown) })
    expectFault(await ask(app))
    await app.close()
  })

  test('shows no internals when the store is closed', async () => {
    const { db, close } = await openTestStore('pglite', { isNew: true })
    await close()
    const app = await faulty({ db })
    expectFault(await ask(app))
    await app.close()
  })
})
