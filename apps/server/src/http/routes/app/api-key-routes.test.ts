import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('API keys on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const create = async (name: string) => (await shop.admin.page('POST', '/app/api/api-keys', { name })).json()
  const listed = async (id: string) => {
    const { items } = (await shop.admin.page('GET', '/app/api/api-keys')).json<{ items: { id: string }[] }>()
    return items.find((item) => item.id === id)
  }
  const me = (key: string) => service.app.inject({ url: '/api/me', headers: { authorization: `Bearer ${key}` } })

  test('a created key is shown once and works at once', async () => {
    const answer = await shop.admin.page('POST', '/app/api/api-keys', { name: ' Nightly job ' })
    expect(answer.statusCode).toBe(201)
    const created = answer.json()
    expect(created).toEqual({
      id: expect.stringMatching(/^key_\w{22}$/),
      name: 'Nightly job',
      prefix: created.key.slice(0, 12),
      createdAt: service.clock.now().toISOString(),
      lastUsedAt: null,
      scopes: ['read', 'run', 'write:queries', 'write:boards', 'write:folders'],
      expiresAt: null,
      allowedNetworks: null,
      groupIds: null,
      key: expect.stringMatching(/^qp_live_[A-Za-z0-9]{40}$/),
    })
    const { key, ...shown } = created
    const user = { id: shop.admin.caller.userId, email: 'admin@shop.test', name: 'admin' }
    expect(await listed(created.id)).toEqual({ ...shown, user })
    expect((await shop.admin.page('GET', '/app/api/api-keys')).body).not.toContain(key)

    const answered = await me(key)
    expect(answered.statusCode).toBe(200)
    expect(answered.json()).toEqual({
      user,
      organization: { id: shop.admin.caller.organizationId, name: 'shop' },
      role: 'admin',
      key: { id: created.id, name: 'Nightly job', scopes: created.scopes, expiresAt: null, groupIds: null },
    })
  })

  test('the last use of a key is recorded', async () => {
    const { id, key } = await create('used')
    await service.clock.advance(90_000)
    await me(key)
    await service.services.lastUsed.flush()
    expect(await listed(id)).toMatchObject({ lastUsedAt: service.clock.now().toISOString() })
  })

  test('a revoked key stops working at once and is no longer listed', async () => {
    const { id, key } = await create('revoked')
    expect((await me(key)).statusCode).toBe(200)
    const revoked = await shop.admin.page('DELETE', `/app/api/api-keys/${id}`)
    expect([revoked.statusCode, revoked.body]).toEqual([204, ''])
    expectRefusal(await me(key), 'unauthenticated', { message: /revoked/ })
    expect(await listed(id)).toBeUndefined()
    expectRefusal(await shop.admin.page('DELETE', `/app/api/api-keys/${id}`), 'api_key_not_found')
  })

  test('members can list and revoke only their own keys', async () => {
    const { id } = await create('of the admin')
    const member = await shop.addPerson('member', 'member@shop.test')
    const { items } = (await member.page('GET', '/app/api/api-keys')).json()
    expect(items.map((item: { user: { email: string } }) => item.user.email)).toEqual(['member@shop.test'])
    expectRefusal(await member.page('DELETE', `/app/api/api-keys/${id}`), 'api_key_not_found')
    expect(await listed(id)).toBeDefined()
  })

  test('a call beyond the scopes of a key is rejected and names the scope', async () => {
    const { key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'dashboards', scopes: ['read', 'write:boards'] })).json()
    const headers = { authorization: `Bearer ${key}` }
    const post = (url: string, payload: object) => service.app.inject({ method: 'POST', url, headers, payload })
    expect((await service.app.inject({ url: '/api/folders', headers })).statusCode).toBe(200)
    expect((await post('/api/boards', { title: 'Sales' })).statusCode).toBe(201)
    expectRefusal(await post('/api/folders', { name: 'Sales' }), 'scope_missing', { message: /lacks the scope write \(or write:folders\)/ })
    expectRefusal(await post('/api/chats', { question: 'Why?' }), 'scope_missing', { message: /run:chats/ })
    expect((await me(key)).json().key.scopes).toEqual(['read', 'write:boards'])
  })

  test('a key without scopes can do what keys could before there were scopes', async () => {
    const { key } = await create('no scopes')
    const send = (method: 'GET' | 'POST', url: string, payload?: object) =>
      service.app.inject({ method, url, headers: { authorization: `Bearer ${key}` }, ...(payload && { payload }) })
    for (const url of ['/api/queries', '/api/boards', '/api/chats', '/api/question-sets']) expect((await send('GET', url)).statusCode).toBe(200)
    expect((await send('POST', '/api/folders', { name: 'Reports' })).statusCode).toBe(201)
    expectRefusal(await send('POST', '/api/automations/automation_1/runs'), 'automation_not_found')
  })

  test('an expired key is rejected from that moment on', async () => {
    const expiresAt = new Date(service.clock.now().getTime() + 60_000).toISOString()
    const { key, ...created } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'brief', expiresAt })).json()
    expect(created.expiresAt).toBe(expiresAt)
    await service.clock.advance(59_999)
    expect((await me(key)).statusCode).toBe(200)
    await service.clock.advance(1)
    expectRefusal(await me(key), 'unauthenticated', { message: /expired at/ })
    expect(await listed(created.id)).toMatchObject({ expiresAt })
  })

  test('a key is accepted only from its networks', async () => {
    const allowedNetworks = ['203.0.113.0/24']
    const { key } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'office', allowedNetworks })).json()
    const from = (remoteAddress: string) => service.app.inject({ url: '/api/me', headers: { authorization: `Bearer ${key}` }, remoteAddress })
    expect((await from('203.0.113.20')).statusCode).toBe(200)
    expectRefusal(await from('198.51.100.4'), 'unauthenticated', { message: /not accepted from your address, 198\.51\.100\.4/ })
  })

  describe('groups', () => {
    let member: TestPerson
    let sales: string
    let finance: string
    const addGroup = async (organization: TestOrganization, name: string, memberIds: string[] = []): Promise<string> =>
      (await organization.admin.page('POST', '/app/api/groups', { name, memberIds })).json().id
    const createWith = (person: TestPerson, groupIds: unknown) => person.page('POST', '/app/api/api-keys', { name: 'grouped', groupIds })

    beforeAll(async () => {
      member = await shop.addPerson('member', 'seller@shop.test')
      sales = await addGroup(shop, 'Sales', [member.caller.userId])
      finance = await addGroup(shop, 'Finance')
    })

    test('a key of an admin can belong to any group, and is then no admin', async () => {
      const { key, ...created } = (await createWith(shop.admin, [finance, sales, finance])).json()
      expect(created.groupIds).toEqual([finance, sales].toSorted())
      expect(await listed(created.id)).toMatchObject({ groupIds: created.groupIds })
      expect((await me(key)).json()).toMatchObject({ role: 'member', key: { groupIds: created.groupIds } })
      const headers = { authorization: `Bearer ${key}` }
      expectRefusal(await service.app.inject({ url: '/api/webhook-endpoints', headers }), 'scope_missing')
    })

    test('members choose among their own groups', async () => {
      expect((await member.page('GET', '/app/api/api-key-groups')).json()).toEqual({ items: [{ id: sales, name: 'Sales' }] })
      expect((await shop.admin.page('GET', '/app/api/api-key-groups')).json().items).toHaveLength(2)
      expect((await createWith(member, [sales])).statusCode).toBe(201)
      const other = await service.addOrganization('other')
      const elsewhere = await addGroup(other, 'Elsewhere')
      for (const groupId of [finance, elsewhere, 'group_none']) {
        expectRefusal(await createWith(member, [sales, groupId]), 'invalid_request', at('/groupIds/1'))
      }
      expectRefusal(await createWith(shop.admin, [elsewhere]), 'invalid_request', at('/groupIds/0'))
    })

    test('a key can be renamed and get other groups', async () => {
      const { id, key } = (await createWith(member, [])).json()
      const change = (person: TestPerson, body: object) => person.page('PATCH', `/app/api/api-keys/${id}`, body)
      expect((await change(member, { name: 'Reports', groupIds: [sales] })).json()).toMatchObject({ name: 'Reports', groupIds: [sales] })
      expect((await me(key)).json().key).toMatchObject({ name: 'Reports', groupIds: [sales] })
      expectRefusal(await change(shop.admin, { groupIds: [finance] }), 'invalid_request', at('/groupIds/0'))
      expectRefusal(await change(member, { name: '' }), 'invalid_request', at('/name'))
      expectRefusal(await change(member, { scopes: ['admin'] }), 'invalid_request', at('/scopes'))
      const stranger = await shop.addPerson('member', 'stranger@shop.test')
      expectRefusal(await change(stranger, { groupIds: null }), 'api_key_not_found')
      expect((await change(shop.admin, { groupIds: null })).json()).toMatchObject({ name: 'Reports', groupIds: null })
    })

    test('a key stays restricted when its groups are deleted', async () => {
      const brief = await addGroup(shop, 'Brief')
      const { key } = (await createWith(shop.admin, [brief])).json()
      expect((await shop.admin.page('DELETE', `/app/api/groups/${brief}`)).statusCode).toBe(204)
      expect((await me(key)).json()).toMatchObject({ role: 'member', key: { groupIds: [] } })
    })
  })

  test.each([
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ name: 12 }, '/name'],
    [{ name: 'two\nlines' }, '/name'],
    [{ name: 'good', role: 'admin' }, '/role'],
    [{ name: 'good', scopes: ['everything'] }, '/scopes/0'],
    [{ name: 'good', expiresAt: '2020-01-01T00:00:00.000Z' }, '/expiresAt'],
    [{ name: 'good', allowedNetworks: ['office'] }, '/allowedNetworks/0'],
    [{ name: 'good', groupIds: ['group_none'] }, '/groupIds/0'],
    [{ name: 'good', groupIds: 'group_none' }, '/groupIds'],
  ])('rejects the body %o', async (body, place) => {
    expectRefusal(await shop.admin.page('POST', '/app/api/api-keys', body), 'invalid_request', at(place))
  })
})
