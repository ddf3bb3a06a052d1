import type { LightMyRequestResponse } from 'fastify'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../../ports/clock.ts'
import { makeOidcProvider } from '../../../ports/oidc-provider.ts'
import { type OidcServer, type OidcUser, startOidcServer } from '../../../../testing/servers/oidc-server.ts'
import { startTestService, type TestOrganization, testPassword, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { anyone, tokenIn } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { setUpSecondFactor } from '../../../../testing/people/second-factor.ts'

type Cookies = Record<string, string>

const cookiesOf = (answer: LightMyRequestResponse): Cookies =>
  Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))

describe.each(routeStoreKinds)('sign-in with an OIDC provider on %s', (kind) => {
  let provider: OidcServer
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization

  beforeAll(async () => {
    provider = await startOidcServer()
    const { issuer, clientId, clientSecret } = provider
    const settings = { issuer, clientId, clientSecret, name: 'Acme', allowedDomains: ['shop.test'] }
    const oidc = makeOidcProvider({ settings, clock: systemClock })
    service = await startTestService(kind, { worker: false, oidc })
    shop = await service.addOrganization('shop')
    service.clock.leap(1000)
    bank = await service.addOrganization('bank')
  })
  afterAll(async () => {
    await service.stop()
    await provider.close()
  })
  beforeEach(() => service.clock.leap(1000))
  afterEach(() => {
    provider.user = null
    provider.faults = {}
    provider.claimsInToken = 'all'
  })

  const start = (returnTo?: string) =>
    service.app.inject({ url: '/app/api/oidc/start', ...(returnTo !== undefined && { query: { returnTo } }) })

  /** Follows the redirect to the provider and back, as a browser does. */
  async function atProvider(started: LightMyRequestResponse): Promise<URL> {
    const answer = await fetch(started.headers.location as string, { redirect: 'manual' })
    return new URL(answer.headers.get('location')!)
  }
  const callBack = (address: URL, cookies: Cookies) =>
    service.app.inject({ url: `${address.pathname}${address.search}`, cookies })

  async function signInAs(user: OidcUser, returnTo?: string) {
    provider.user = user
    const started = await start(returnTo)
    return callBack(await atProvider(started), cookiesOf(started))
  }
  const me = async (answer: LightMyRequestResponse) =>
    (await service.app.inject({ url: '/app/api/session', cookies: cookiesOf(answer) })).json()
  function expectFault(answer: LightMyRequestResponse, fault: string) {
    expect([answer.statusCode, answer.headers.location]).toEqual([302, `/sign-in?fault=${fault}`])
    expect(cookiesOf(answer)['querypost_session']).toBeUndefined()
  }
  const verified = (sub: string, email: string, name?: string): OidcUser => ({
    sub,
    email,
    email_verified: true,
    ...(name !== undefined && { name }),
  })
  const countUsers = async () =>
    Number((await service.services.db.selectFrom('users').select((eb) => eb.fn.countAll().as('n')).executeTakeFirstOrThrow()).n)

  test('sign-in options include the provider’s name', async () => {
    const options = (await service.app.inject('/app/api/sign-in-options')).json()
    expect(options).toEqual({ oidc: { name: 'Acme' }, canResetPassword: false })
  })

  test('signs in an existing account and redirects back; a changed e-mail address keeps the account', async () => {
    const answer = await signInAs(verified('s-admin', 'Admin@Shop.test'), '/q/abcdefghjk?month=3#table')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, '/q/abcdefghjk?month=3#table'])
    expect(answer.cookies.find(({ name }) => name === 'querypost_session')).toMatchObject({
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
      path: '/',
    })
    expect(answer.cookies.find(({ name }) => name === 'querypost_oidc')).toMatchObject({ value: '', path: '/app/api/oidc' })
    expect(await me(answer)).toMatchObject({ user: { id: shop.admin.caller.userId }, role: 'admin' })

    const again = await signInAs({ sub: 's-admin', email: 'married@elsewhere.test', email_verified: false })
    expect(await me(again)).toMatchObject({ user: { id: shop.admin.caller.userId, email: 'admin@shop.test' } })
  })

  test('a reassigned e-mail address does not give access to the old account', async () => {
    const person = await bank.addPerson('member', 'shared@bank.test')
    expect(await me(await signInAs(verified('s-first', 'shared@bank.test')))).toMatchObject({
      user: { id: person.caller.userId },
    })
    expectFault(await signInAs(verified('s-second', 'shared@bank.test')), 'address_taken')
  })

  test('new people from an allowed domain join the first organization, with the provider’s name for them', async () => {
    const answer = await signInAs({ ...verified('s-new', 'new@shop.test', 'New\nPerson'), email_verified: 'true' })
    expect(answer.headers.location).toBe('/')
    const session = await me(answer)
    expect(session).toMatchObject({ user: { name: 'New Person' }, organization: { name: 'shop' }, role: 'member' })
    const account = await service.app.inject({ url: '/app/api/account', cookies: cookiesOf(answer) })
    expect(account.json()).toMatchObject({ hasPassword: false })
    const change = await service.app.inject({
      method: 'POST',
      url: '/app/api/account/password',
      cookies: cookiesOf(answer),
      payload: { currentPassword: '', newPassword: 'correct horse battery' },
    })
    expectRefusal(change, 'forbidden', { message: /no password/ })

    await shop.admin.page('DELETE', `/app/api/members/${session.user.id}`)
    expectFault(await signInAs(verified('s-new', 'new@shop.test')), 'not_invited')
    await shop.admin.page('POST', '/app/api/invitations', { email: 'NEW@shop.test', role: 'admin' })
    expect(await me(await signInAs(verified('s-new', 'new@shop.test')))).toMatchObject({ role: 'admin' })
  })

  test('others can join when invited, even if only userinfo has the e-mail address', async () => {
    provider.claimsInToken = 'subject'
    const before = await countUsers()
    expectFault(await signInAs(verified('s-guest', 'guest@elsewhere.test')), 'not_invited')
    expect(await countUsers()).toBe(before)
    await bank.admin.page('POST', '/app/api/invitations', { email: 'guest@elsewhere.test', role: 'member' })
    const answer = await signInAs(verified('s-guest', 'guest@elsewhere.test'))
    expect(await me(answer)).toMatchObject({ user: { name: 'guest' }, organization: { name: 'bank' }, role: 'member' })
    expect((await bank.admin.page('GET', '/app/api/invitations')).json().items).toEqual([])
  })

  test.each<[string, OidcUser]>([
    ['email_not_verified', { sub: 's-1', email: 'admin@bank.test', email_verified: false }],
    ['email_not_verified', { sub: 's-1', email: 'one@shop.test' }],
    ['email_not_verified', { sub: 's-1' }],
    ['not_invited', verified('s-1', 'one@notshop.test')],
    ['not_invited', verified('s-1', 'one@shop.test@elsewhere.test')],
    ['not_invited', verified('s-1', 'one@sub.shop.test')],
  ])('%s: %j', async (fault, user) => {
    const before = await countUsers()
    expectFault(await signInAs(user), fault)
    expect(await countUsers()).toBe(before)
  })

  test.each([
    ['another nonce', { nonce: 'stale' }],
    ['a token for another client', { audience: 'somebody' }],
    ['a signature of another key', { isSignedByAnother: true }],
    ['an expired token', { isExpired: true }],
  ])('rejects %s', async (_, faults) => {
    provider.faults = faults
    expectFault(await signInAs(verified('s-admin', 'admin@shop.test')), 'failed')
  })

  test('a callback works once, in the same browser, and expires', async () => {
    provider.user = verified('s-admin', 'admin@shop.test')
    const started = await start()
    const address = await atProvider(started)
    const [cookies, others] = [cookiesOf(started), cookiesOf(await start())]
    expectFault(await callBack(address, {}), 'expired')
    expectFault(await callBack(address, others), 'failed')
    expectFault(await callBack(address, { querypost_oidc: 'nonsense' }), 'expired')
    const tampered = new URL(address)
    tampered.searchParams.set('state', 'another')
    expectFault(await callBack(tampered, cookies), 'failed')
    expect((await callBack(address, cookies)).headers.location).toBe('/')
    expectFault(await callBack(address, cookies), 'failed')

    const late = await start()
    service.clock.leap(10 * 60_000)
    expectFault(await callBack(await atProvider(late), cookiesOf(late)), 'expired')
  })

  test('declining at the provider redirects to the sign-in page, keeping returnTo', async () => {
    const started = await start('/queries')
    const answer = await callBack(await atProvider(started), cookiesOf(started))
    expect(answer.headers.location).toBe('/sign-in?fault=refused&returnTo=%2Fqueries')
  })

  test.each(['//evil.test', 'https://evil.test/', '/\\evil.test', 'javascript:alert(1)', '/..//evil.test', '\t//evil.test'])(
    'never redirects to another site: %s',
    async (returnTo) => {
      const answer = await signInAs(verified('s-admin', 'admin@shop.test'), returnTo)
      const { origin } = new URL(answer.headers.location as string, 'https://querypost.test')
      expect(origin).toBe('https://querypost.test')
      expect(answer.headers.location).toMatch(/^\/(?!\/)/)
    },
  )
})

describe.each(routeStoreKinds)('required single sign-on and roles of the provider on %s', (kind) => {
  let provider: OidcServer
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    provider = await startOidcServer()
    const { issuer, clientId, clientSecret } = provider
    const roles = { claim: 'realm_access.roles', admin: 'boss' }
    const access = { groupsClaim: 'groups', attributes: [{ name: 'region', claim: 'org.region' }] }
    const settings = { issuer, clientId, clientSecret, name: 'Acme', allowedDomains: ['shop.test'], roles, ...access }
    service = await startTestService(kind, { worker: false, oidc: makeOidcProvider({ settings, clock: systemClock }) })
    shop = await service.addOrganization('shop')
    service.clock.leap(1000)
  })
  afterAll(async () => {
    await service.stop()
    await provider.close()
  })

  async function signInAs(email: string, roles: string[] = [], claims: object = {}) {
    service.clock.leap(1000)
    provider.user = { sub: email, email, email_verified: true, realm_access: { roles }, ...claims }
    const started = await service.app.inject('/app/api/oidc/start')
    const atProvider = await fetch(started.headers.location as string, { redirect: 'manual' })
    const { pathname, search } = new URL(atProvider.headers.get('location')!)
    const answer = await service.app.inject({ url: `${pathname}${search}`, cookies: cookiesOf(started) })
    expect(answer.headers.location).toBe('/')
    return anyone(service, cookiesOf(answer))
  }
  const roleOf = async (visitor: ReturnType<typeof anyone>) => (await visitor.get('/app/api/session')).json().role
  const enterPassword = (email: string) => anyone(service).post('/app/api/session', { email, password: testPassword })
  const requireSso = (by: TestPerson, ssoRequired = true) => by.page('PATCH', '/app/api/organization', { ssoRequired })

  test('roles are those of the provider, from sign-in to sign-in; the last admin stays one', async () => {
    expect(await roleOf(await signInAs('grace@shop.test', ['boss', 'other']))).toBe('admin')
    const grace = await signInAs('grace@shop.test', ['other'])
    expect(await roleOf(grace)).toBe('member')
    const { items } = (await shop.admin.page('GET', '/app/api/members')).json()
    const managed = items.map(({ email, isRoleFromProvider }: { email: string; isRoleFromProvider: boolean }) => [email, isRoleFromProvider])
    expect(managed).toEqual([['admin@shop.test', false], ['grace@shop.test', true]])
    const { id } = items[1]
    expectRefusal(await shop.admin.page('PATCH', `/app/api/members/${id}`, { role: 'admin' }), 'forbidden', { message: /provider decides/ })
    const records = await service.services.db.selectFrom('audit_log').selectAll().where('action', '=', 'member.role_changed').orderBy('id').execute()
    expect(records.map(({ actor_kind, details }) => [actor_kind, details])).toEqual([
      ['service', { by: 'identity provider', changes: { role: { before: 'member', after: 'admin' } } }],
      ['service', { by: 'identity provider', changes: { role: { before: 'admin', after: 'member' } } }],
    ])
    expect(await roleOf(await signInAs('admin@shop.test'))).toBe('admin')
  })

  test('roles of other organizations are their own', async () => {
    const bank = await service.addOrganization('bank')
    expect(await roleOf(await signInAs(bank.admin.email))).toBe('admin')
  })

  test('groups and attributes are those of the provider, from sign-in to sign-in', async () => {
    const finance = (await shop.admin.page('POST', '/app/api/groups', { name: 'Finance' })).json<{ id: string }>()
    await signInAs('mary@shop.test', [], { groups: ['FINANCE', 'unknown', 7], org: { region: 'north' } })
    const { items } = (await shop.admin.page('GET', '/app/api/members')).json<{ items: { id: string; email: string }[] }>()
    const { id } = items.find(({ email }) => email === 'mary@shop.test')!
    const groups = async () => (await shop.admin.page('GET', '/app/api/groups')).json<{ items: { id: string; memberIds: string[] }[] }>().items
    const attributes = async () => (await shop.admin.page('GET', '/app/api/access/attributes')).json<{ items: object[] }>().items
    expect(await groups()).toMatchObject([{ id: finance.id, memberIds: [id] }])
    expect(await attributes()).toEqual([{ userId: id, name: 'region', value: 'north', isFromProvider: true }])
    const set = (given: object) => shop.admin.page('PUT', `/app/api/access/members/${id}/attributes`, { attributes: given })
    expectRefusal(await set({ region: 'south' }), 'invalid_request', at('/attributes/region'))
    expect((await set({ desk: '7' })).statusCode).toBe(204)
    // A list of several values, and then no claim at all, take the attribute away. What an admin set is kept.
    await signInAs('mary@shop.test', [], { groups: 'Finance', org: { region: ['north', 'south'] } })
    expect(await attributes()).toEqual([{ userId: id, name: 'desk', value: '7', isFromProvider: false }])
    expect(await groups()).toMatchObject([{ memberIds: [id] }])
    await signInAs('mary@shop.test')
    expect(await groups()).toMatchObject([{ memberIds: [] }])
    const records = await service.services.db.selectFrom('audit_log').selectAll().where('action', '=', 'member.groups_changed').orderBy('id').execute()
    expect(records.map(({ details }) => details)).toEqual([
      { by: 'identity provider', changes: { groups: { before: [], after: ['Finance'] } } },
      { by: 'identity provider', changes: { groups: { before: ['Finance'], after: [] } } },
    ])
  })

  test('cannot be required before an admin of the organization has signed in with the provider', async () => {
    const club = await service.addOrganization('club')
    const member = await club.addPerson('member', 'member@club.test')
    await signInAs(member.email)
    expectRefusal(await requireSso(member), 'forbidden')
    expectRefusal(await requireSso(club.admin), 'invalid_request', at('/ssoRequired'))
    await signInAs(club.admin.email)
    expect((await requireSso(club.admin)).json()).toMatchObject({ ssoRequired: true })
  })

  test('ends sessions by password and rejects passwords, except of admins with a second factor', async () => {
    const inn = await service.addOrganization('inn')
    const member = await inn.addPerson('member', 'member@inn.test')
    const other = await inn.addPerson('admin', 'other@inn.test')
    const bySso = await signInAs(member.email)
    await signInAs(other.email)
    const user = { id: inn.admin.caller.userId, email: inn.admin.email }
    const { recoveryCodes } = await setUpSecondFactor(service.services, user, inn.admin.session['querypost_session']!)
    expect((await requireSso(inn.admin)).statusCode).toBe(200)

    expect((await bySso.get('/app/api/session')).statusCode).toBe(200)
    for (const person of [member, other]) {
      expectRefusal(await person.page('GET', '/app/api/session'), 'unauthenticated')
      expectRefusal(await enterPassword(person.email), 'sso_required', { message: /Acme/ })
      expect((await person.api('GET', '/api/me')).statusCode).toBe(200)
    }
    expectRefusal(await anyone(service).post('/app/api/session', { email: member.email, password: 'wrong' }), 'unauthenticated')
    expect((await inn.admin.page('GET', '/app/api/session')).statusCode).toBe(200)
    const pending = await enterPassword(inn.admin.email)
    expect(pending.json()).toEqual({ step: 'code' })
    const entered = await anyone(service, cookiesOf(pending)).post('/app/api/sign-in/code', { code: recoveryCodes[0] })
    expect(entered.statusCode).toBe(204)
    expect(await roleOf(await signInAs(member.email))).toBe('member')

    const invited = { email: 'new@inn.test', role: 'member' }
    const { url } = (await inn.admin.page('POST', '/app/api/invitations', invited)).json()
    const joining = { token: tokenIn(url), name: 'New', password: testPassword }
    expectRefusal(await anyone(service).post('/app/api/invitations/accept', joining), 'sso_required')
    expect(await roleOf(await signInAs('new@inn.test'))).toBe('member')
  })

  test('only concerns the organization: a password opens others, and does not lead back', async () => {
    const [gym, spa] = [await service.addOrganization('gym'), await service.addOrganization('spa')]
    const { organizationId } = gym.admin.caller
    const zoe = await spa.addPerson('member', 'zoe@spa.test')
    const joined = { organization_id: organizationId, user_id: zoe.caller.userId, role: 'member', created_at: new Date(0) } as const
    await service.services.db.insertInto('memberships').values(joined).execute()
    await signInAs(gym.admin.email)
    await requireSso(gym.admin)
    const byPassword = anyone(service, cookiesOf(await enterPassword(zoe.email)))
    expect((await byPassword.get('/app/api/session')).json()).toMatchObject({ organization: { name: 'spa' } })
    expectRefusal(await byPassword.post('/app/api/session/organization', { organizationId }), 'sso_required')
    const bySso = await signInAs(zoe.email)
    expect((await bySso.get('/app/api/session')).json()).toMatchObject({ organization: { name: 'gym' } })
  })
})

test('single sign-on cannot be required without a provider', async () => {
  const service = await startTestService('postgres', { worker: false })
  const { admin } = await service.addOrganization('shop')
  expectRefusal(await admin.page('PATCH', '/app/api/organization', { ssoRequired: true }), 'invalid_request', at('/ssoRequired'))
  await service.stop()
})

test('an unreachable provider redirects to the sign-in page; without a provider the route does not exist', async () => {
  const gone = await startOidcServer()
  await gone.close()
  const settings = { issuer: gone.issuer, clientId: 'querypost', clientSecret: 'x', name: 'Acme', allowedDomains: [] }
  const oidc = makeOidcProvider({ settings, clock: systemClock })
  const service = await startTestService('postgres', { worker: false, oidc })
  const answer = await service.app.inject('/app/api/oidc/start')
  expect([answer.statusCode, answer.headers.location]).toEqual([302, '/sign-in?fault=failed'])
  await service.stop()

  const without = await startTestService('postgres', { worker: false })
  for (const route of ['start', 'callback']) {
    expectRefusal(await without.app.inject(`/app/api/oidc/${route}`), 'route_not_found')
  }
  await without.stop()
})
