import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { anyone, newPassword, signedInBy } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('the account on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
  })
  afterAll(() => service.stop())

  const signIn = (email: string, password = testPassword) => anyone(service).post('/app/api/session', { email, password })

  test('has a name that its owner can change', async () => {
    const { id, ...account } = (await shop.admin.page('GET', '/app/api/account')).json()
    expect(id).toBe(shop.admin.caller.userId)
    expect(account).toEqual({ name: 'admin', email: 'admin@shop.test', hasPassword: true })
    const changed = await shop.admin.page('PATCH', '/app/api/account', { name: ' Ada ' })
    expect(changed.json()).toMatchObject({ name: 'Ada' })
    expect((await shop.admin.page('GET', '/app/api/session')).json()).toMatchObject({ user: { name: 'Ada' } })
    for (const [body, place] of [[{ name: '' }, '/name'], [{ email: 'x@y.test' }, '/email']] as const) {
      expectRefusal(await shop.admin.page('PATCH', '/app/api/account', body), 'invalid_request', at(place))
    }
  })

  test('a new password requires the current one, and ends all other sessions', async () => {
    const jane = await shop.addPerson('member', 'jane@shop.test')
    const elsewhere = signedInBy(await signIn(jane.email))
    const change = (currentPassword: string, given: string) =>
      jane.page('POST', '/app/api/account/password', { currentPassword, newPassword: given })
    expectRefusal(await change('not the password', newPassword), 'invalid_request', at('/currentPassword'))
    expectRefusal(await change(testPassword, 'too short'), 'invalid_request', at('/newPassword'))
    expect((await anyone(service, elsewhere).get('/app/api/session')).statusCode).toBe(200)

    expect((await change(testPassword, newPassword)).statusCode).toBe(204)
    expect((await jane.page('GET', '/app/api/session')).statusCode).toBe(200)
    expectRefusal(await anyone(service, elsewhere).get('/app/api/session'), 'unauthenticated')
    expectRefusal(await signIn(jane.email), 'unauthenticated')
    signedInBy(await signIn(jane.email, newPassword))

    for (let count = 0; count < 10; count++) await change('a wrong guess', newPassword)
    const refused = await change(newPassword, testPassword)
    expectRefusal(refused, 'too_many_requests')
    expect(refused.headers['retry-after']).toBe('60')
  })

  test('lists sessions, and ends them', async () => {
    const john = await shop.addPerson('member', 'john@shop.test')
    const list = async () => (await john.page('GET', '/app/api/account/sessions')).json().items
    const createdAt = service.clock.now().toISOString()
    service.clock.leap(120_000)
    const headers = { 'user-agent': `Phone ${'x'.repeat(400)}` }
    const payload = { email: john.email, password: testPassword }
    const phone = signedInBy(await service.app.inject({ method: 'POST', url: '/app/api/session', headers, payload }))
    await list()
    await service.services.lastSeen.flush()

    const [first, second] = await list()
    const now = service.clock.now().toISOString()
    const shared = { organizationName: 'shop', lastSeenAt: now }
    const here = { ...shared, id: expect.stringMatching(/^session_/), createdAt, userAgent: 'lightMyRequest', isCurrent: true }
    const there = { ...shared, createdAt: now, userAgent: headers['user-agent'].slice(0, 300), isCurrent: false }
    expect([first, second].toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent))).toEqual([
      here,
      { ...there, id: expect.any(String) },
    ])
    const phoneId = [first, second].find(({ isCurrent }) => !isCurrent).id
    expectRefusal(await shop.admin.page('DELETE', `/app/api/account/sessions/${phoneId}`), 'session_not_found')
    expect((await john.page('DELETE', `/app/api/account/sessions/${phoneId}`)).statusCode).toBe(204)
    expectRefusal(await anyone(service, phone).get('/app/api/session'), 'unauthenticated')
    expectRefusal(await john.page('DELETE', `/app/api/account/sessions/${phoneId}`), 'session_not_found')
    expect(await list()).toEqual([here])
  })

  test('a member of several organizations switches between them and sees one at a time', async () => {
    const { admin } = bank
    const founded = await admin.page('POST', '/app/api/organizations', { name: 'Branch' })
    expect(founded.statusCode).toBe(201)
    const branch = founded.json()
    expect(branch).toEqual({ id: expect.stringMatching(/^org_/), name: 'Branch', role: 'admin' })
    const switchTo = (organizationId: string) => admin.page('POST', '/app/api/session/organization', { organizationId })
    const here = async () => (await admin.page('GET', '/app/api/session')).json()
    const databases = async () => (await admin.page('GET', '/app/api/databases')).json().items.length

    expect([(await here()).organization.name, await databases()]).toEqual(['bank', 1])
    const both = [
      { id: admin.caller.organizationId, name: 'bank', role: 'admin' },
      { id: branch.id, name: 'Branch', role: 'admin' },
    ]
    service.clock.leap(1)
    expect((await here()).organizations).toEqual(expect.arrayContaining(both))
    expect((await switchTo(branch.id)).statusCode).toBe(204)
    expect([(await here()).organization.name, await databases()]).toEqual(['Branch', 0])
    expect((await admin.api('GET', '/api/me')).json()).toMatchObject({ organization: { name: 'bank' } })
    for (const id of [shop.admin.caller.organizationId, 'org_unknown', 'x']) {
      expectRefusal(await switchTo(id), 'organization_not_found')
    }
    const showing = (organizationId: string, path: string) =>
      service.app.inject({
        url: `/app/api/${path}`,
        cookies: admin.session,
        headers: { 'querypost-organization': organizationId },
      })
    const message = /another tab/
    expectRefusal(await showing(admin.caller.organizationId, 'databases'), 'organization_changed', { message })
    expect((await showing(admin.caller.organizationId, 'session')).json().organization.name).toBe('Branch')
    expect((await showing(branch.id, 'databases')).statusCode).toBe(200)
    await switchTo(admin.caller.organizationId)
    expect(await databases()).toBe(1)
    expectRefusal(await admin.page('POST', '/app/api/organizations', { name: '' }), 'invalid_request', at('/name'))
  })
})
