import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildApp } from '../../build-app.ts'
import { makeMetrics } from '../../../domain/metrics.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { startTestService, testPassword, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

let service: TestService
let shop: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

const signIn = (body: object, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'POST', url: '/app/api/session', payload: body, headers })
const right = () => ({ email: shop.admin.email, password: testPassword })

describe('signing in', () => {
  test('returns 204 with HttpOnly, SameSite cookies, the session first', async () => {
    const answer = await signIn(right())
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 24 * 3600_000)
    const shared = { httpOnly: true, secure: true, sameSite: 'Lax' }
    const session = { name: 'querypost_session', value: expect.stringMatching(/^[\w-]{43}$/), path: '/', expires: inDays(30) }
    const device = { name: 'querypost_device', value: expect.stringMatching(/^[\w-]+$/), path: '/app/api', expires: inDays(365) }
    expect(answer.cookies).toEqual([{ ...shared, ...session }, { ...shared, ...device }])
  })

  test('over plain http the cookie is not Secure, or browsers would drop it', async () => {
    const services = { ...service.services, baseUrl: 'http://localhost:3000' }
    const queryApi = { state: 'active', sunset: null } as const
    const app = await buildApp({ services, queryApi, metrics: makeMetrics(), logger: silentLog })
    const answer = await app.inject({ method: 'POST', url: '/app/api/session', payload: right() })
    expect(answer.cookies).toHaveLength(2)
    for (const cookie of answer.cookies) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax' })
      expect(cookie).not.toHaveProperty('secure')
    }
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    await app.close()
  })

  test.each([
    ['a wrong password', () => ({ ...right(), password: 'not the password' })],
    ['an empty password', () => ({ ...right(), password: '' })],
    ['an unknown e-mail', () => ({ ...right(), email: 'nobody@shop.test' })],
  ])('rejects %s', async (_, body) => {
    const answer = await signIn(body())
    expectRefusal(answer, 'unauthenticated', { message: /^The e-mail or the password is wrong/ })
    expect(answer.cookies).toEqual([])
  })

  test.each([
    [{}, '/email'],
    [{ email: 'a@b.test' }, '/password'],
    [{ email: 1, password: 'x' }, '/email'],
    [{ email: 'a@b.test', password: 'x', admin: true }, '/admin'],
  ])('rejects the body %j', async (body, place) => {
    expectRefusal(await signIn(body), 'invalid_request', at(place))
  })
})

test('returns the signed-in user', async () => {
  const answer = await shop.admin.page('GET', '/app/api/session')
  expect(answer.json()).toEqual({
    user: { id: shop.admin.caller.userId, email: 'admin@shop.test', name: 'admin' },
    organization: { id: shop.admin.caller.organizationId, name: 'shop', chartPalette: null },
    role: 'admin',
    organizations: [{ id: shop.admin.caller.organizationId, name: 'shop', role: 'admin' }],
    isViewedAs: false,
  })
})

test('signing out ends only this session and clears the cookie', async () => {
  const [mine, other] = [(await signIn(right())).cookies[0]!, (await signIn(right())).cookies[0]!]
  const send = (method: 'GET' | 'DELETE', value: string) =>
    service.app.inject({ method, url: '/app/api/session', cookies: { querypost_session: value } })
  const answer = await send('DELETE', mine.value)
  expect(answer.statusCode).toBe(204)
  expect(answer.cookies).toEqual([
    expect.objectContaining({ name: 'querypost_session', value: '', path: '/', expires: new Date(0) }),
  ])
  expectRefusal(await send('GET', mine.value), 'unauthenticated')
  expectRefusal(await send('DELETE', mine.value), 'unauthenticated')
  expect((await send('GET', other.value)).statusCode).toBe(200)
})

test('a session ends after 30 days', async () => {
  const { value } = (await signIn(right())).cookies[0]!
  const get = () => service.app.inject({ url: '/app/api/session', cookies: { querypost_session: value } })
  service.clock.leap(30 * 24 * 3600_000 - 1)
  expect((await get()).statusCode).toBe(200)
  service.clock.leap(1)
  expectRefusal(await get(), 'unauthenticated')
})

describe('writes from another site', () => {
  async function write(headers: Record<string, string>, method: 'POST' | 'GET' = 'POST') {
    const { value } = (await signIn(right())).cookies[0]!
    const url = method === 'POST' ? '/app/api/references' : '/app/api/session'
    const payload = method === 'POST' ? { payload: {} } : {}
    return service.app.inject({ method, url, headers, cookies: { querypost_session: value }, ...payload })
  }

  test.each([
    ['https://evil.test'],
    ['http://querypost.test'],
    ['https://querypost.test.evil.test'],
    ['https://querypost.test:8443'],
    ['null'],
    [''],
    ['querypost.test'],
  ])('are rejected with Origin: %s', async (origin) => {
    expectRefusal(await write({ origin, host: 'internal:3000' }), 'forbidden', { message: /another site/ })
    expectRefusal(await signIn(right(), { origin, host: 'internal:3000' }), 'forbidden')
  })

  test.each([
    ['the origin of BASE_URL', { origin: 'https://querypost.test', host: 'internal:3000' }],
    ['the host of the request', { origin: 'http://localhost:3000', host: 'localhost:3000' }],
    ['absent', { host: 'internal:3000' }],
  ])('an Origin that is %s is accepted', async (_, headers: Record<string, string>) => {
    expect((await write(headers)).statusCode).toBe(201)
  })

  test('reads are not checked', async () => {
    expect((await write({ origin: 'https://evil.test' }, 'GET')).statusCode).toBe(200)
  })
})
