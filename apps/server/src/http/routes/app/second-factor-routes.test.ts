import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Email, Mail } from '../../../ports/mail.ts'
import { anyone, type Cookies, newPassword, signedInBy, statusesOf, tokenIn } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { appWith } from '../../../../testing/people/second-factor.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'

const stepMs = 30_000
const root = '/app/api/account/second-factor'

describe.each(routeStoreKinds)('the second factor on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  const emails: Email[] = []
  const mail: Mail = { send: async (email) => void emails.push(email), close: async () => {} }

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false, mail })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  // Each test begins with unused codes.
  beforeEach(() => service.clock.leap(10 * stepMs))

  const signIn = (email: string, password = testPassword, cookies: Cookies = {}) =>
    anyone(service, cookies).post('/app/api/session', { email, password })
  const cookiesOf = (answer: LightMyRequestResponse): Cookies =>
    Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
  /** The password was right, and this step is missing. */
  function pendingIn(answer: LightMyRequestResponse, step: 'code' | 'set_up'): Cookies {
    expect([answer.statusCode, answer.json()]).toEqual([200, { step }])
    const cookies = cookiesOf(answer)
    expect(Object.keys(cookies)).toEqual(['querypost_sign_in'])
    return cookies
  }
  const enter = (pending: Cookies, code: string, more: Cookies = {}) =>
    anyone(service, { ...pending, ...more }).post('/app/api/sign-in/code', { code })
  /** The cookies of an answer that completed the sign-in. */
  function completedBy(answer: LightMyRequestResponse): Cookies {
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    const { querypost_sign_in: pending, ...cookies } = cookiesOf(answer)
    expect(pending).toBe('')
    return cookies
  }
  async function turnOn(person: TestPerson) {
    const offered = await person.page('POST', `${root}/offer`, { password: testPassword })
    const { key, offer } = offered.json<{ key: string; offer: string }>()
    const app = appWith(key, service.clock)
    const answer = await person.page('POST', root, { offer, code: app.code() })
    expect(answer.statusCode, answer.body).toBe(200)
    service.clock.leap(2 * stepMs)
    return { app, recoveryCodes: answer.json<{ recoveryCodes: string[] }>().recoveryCodes }
  }
  const actionsOf = async (person: TestPerson) => {
    await service.services.pendingJobs.settled()
    const rows = await service.services.db
      .selectFrom('audit_log')
      .select(['action', 'details'])
      .where('subject_id', '=', person.caller.userId)
      .orderBy('id')
      .execute()
    return rows.map(({ action }) => action)
  }

  test('is set up with the password and a code, ends other sessions, and shows ten recovery codes once', async () => {
    const jane = await shop.addPerson('member', 'jane@shop.test')
    const elsewhere = signedInBy(await signIn(jane.email))
    const state = async () => (await jane.page('GET', root)).json()
    expect(await state()).toEqual({ isOn: false, since: null, recoveryCodesLeft: 0, isRequired: false })

    expectRefusal(await jane.page('POST', `${root}/offer`, { password: 'wrong' }), 'invalid_request', at('/password'))
    const { key, uri, offer } = (await jane.page('POST', `${root}/offer`, { password: testPassword })).json()
    expect(uri).toBe(`otpauth://totp/Querypost:jane%40shop.test?secret=${key}&issuer=Querypost`)
    const app = appWith(key, service.clock)
    expectRefusal(await jane.page('POST', root, { offer, code: app.code(5) }), 'invalid_request', at('/code'))
    expectRefusal(await shop.admin.page('POST', root, { offer, code: app.code() }), 'invalid_request', at('/offer'))
    expectRefusal(await jane.page('POST', root, { offer: 'nonsense', code: app.code() }), 'invalid_request', at('/offer'))
    expect(await state()).toMatchObject({ isOn: false })

    const { recoveryCodes } = (await jane.page('POST', root, { offer, code: app.code() })).json()
    expect(new Set(recoveryCodes).size).toBe(10)
    expect(await state()).toMatchObject({ isOn: true, since: service.clock.now().toISOString(), recoveryCodesLeft: 10 })
    expectRefusal(await anyone(service, elsewhere).get('/app/api/session'), 'unauthenticated')
    expectRefusal(await jane.page('POST', root, { offer, code: app.code() }), 'forbidden', { message: /already has/ })
    expectRefusal(await jane.page('POST', `${root}/offer`, { password: testPassword }), 'forbidden', { message: /already has/ })
    expect(await actionsOf(jane)).toContain('second_factor.turned_on')
    expect(emails.at(-1)).toMatchObject({ to: jane.email, subject: 'Second factor turned on for Querypost' })
  })

  test('an offer expires', async () => {
    const late = await shop.addPerson('member', 'late@shop.test')
    const { key, offer } = (await late.page('POST', `${root}/offer`, { password: testPassword })).json()
    service.clock.leap(30 * 60_000)
    const code = appWith(key, service.clock).code()
    expectRefusal(await late.page('POST', root, { offer, code }), 'invalid_request', at('/offer'))
  })

  test('is required after the password; a code works once, and nothing else opens before it', async () => {
    const john = await shop.addPerson('member', 'john@shop.test')
    const { app } = await turnOn(john)
    expectRefusal(await signIn(john.email, 'wrong'), 'unauthenticated')
    const pending = pendingIn(await signIn(john.email), 'code')
    const waiting = anyone(service, { ...pending, querypost_session: pending['querypost_sign_in']! })
    expectRefusal(await waiting.get('/app/api/session'), 'unauthenticated')
    expect((await anyone(service, pending).get('/app/api/sign-in/second-step')).json()).toEqual({ step: 'code', email: john.email })
    expectRefusal(await anyone(service, pending).post('/app/api/sign-in/second-factor/offer'), 'unauthenticated')
    expectRefusal(await enter(pending, app.code(5)), 'invalid_request', at('/code'))

    const session = completedBy(await enter(pending, ` ${app.code().slice(0, 3)} ${app.code().slice(3)} `))
    expect((await anyone(service, session).get('/app/api/session')).json()).toMatchObject({ user: { email: john.email } })
    expectRefusal(await enter(pending, app.code()), 'invalid_request', at('/code'))
    expectRefusal(await enter(pending, app.code(-1)), 'invalid_request', at('/code'))
    completedBy(await enter(pending, app.code(1)))
    expect((await actionsOf(john)).filter((action) => action === 'session.failed')).toHaveLength(4)
    const { details } = await service.services.db
      .selectFrom('audit_log')
      .select('details')
      .where('action', '=', 'session.started')
      .where('actor_id', '=', john.caller.userId)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(details).toMatchObject({ method: 'password', secondFactor: 'code' })
    // Programs are not asked.
    expect((await john.api('GET', '/api/me')).statusCode).toBe(200)
  })

  test('a code that arrives several times at once opens one session', async () => {
    const race = await shop.addPerson('member', 'race@shop.test')
    const { app, recoveryCodes } = await turnOn(race)
    const pending = pendingIn(await signIn(race.email), 'code')
    for (const code of [app.code(), recoveryCodes[0]!]) {
      const answers = await Promise.all([1, 2, 3].map(() => enter(pending, code)))
      expect(statusesOf(answers)).toEqual([204, 400, 400])
    }
  })

  test.each(['', 'nonsense'])('rejects the pending sign-in %j', async (sealed) => {
    expectRefusal(await enter({ querypost_sign_in: sealed }, '000000'), 'unauthenticated')
  })

  test('a pending sign-in ends after ten minutes and with the password', async () => {
    const ada = await shop.addPerson('member', 'ada@shop.test')
    const { app } = await turnOn(ada)
    const slow = pendingIn(await signIn(ada.email), 'code')
    service.clock.leap(10 * 60_000)
    expectRefusal(await enter(slow, app.code()), 'unauthenticated')

    const old = pendingIn(await signIn(ada.email), 'code')
    await ada.page('POST', '/app/api/account/password', { currentPassword: testPassword, newPassword })
    expectRefusal(await enter(old, app.code()), 'unauthenticated')
    completedBy(await enter(pendingIn(await signIn(ada.email, newPassword), 'code'), app.code()))
  })

  test('recovery codes work once each, in any spelling, and can be replaced', async () => {
    const eve = await shop.addPerson('member', 'eve@shop.test')
    const { app, recoveryCodes } = await turnOn(eve)
    const pending = pendingIn(await signIn(eve.email), 'code')
    completedBy(await enter(pending, recoveryCodes[0]!.toUpperCase().replaceAll('-', ' ')))
    expectRefusal(await enter(pending, recoveryCodes[0]!), 'invalid_request', at('/code'))
    expect(await actionsOf(eve)).toContain('second_factor.recovery_code_used')
    expect(emails.at(-1)).toMatchObject({ to: eve.email, subject: 'Recovery code used for Querypost' })
    expect((await eve.page('GET', root)).json()).toMatchObject({ recoveryCodesLeft: 9 })

    const renew = (given: object) => eve.page('POST', `${root}/recovery-codes`, { password: testPassword, code: app.code(), ...given })
    expectRefusal(await renew({ password: 'wrong' }), 'invalid_request', at('/password'))
    expectRefusal(await renew({ code: app.code(5) }), 'invalid_request', at('/code'))
    const renewed = (await renew({})).json().recoveryCodes
    expectRefusal(await enter(pending, recoveryCodes[1]!), 'invalid_request', at('/code'))
    completedBy(await enter(pending, renewed[1]))
  })

  test('limits wrong codes; devices that have signed in before have a limit of their own', async () => {
    const bob = await shop.addPerson('member', 'bob@shop.test')
    const { app } = await turnOn(bob)
    const pending = pendingIn(await signIn(bob.email), 'code')
    const { querypost_device: device } = completedBy(await enter(pending, app.code()))
    for (let count = 0; count < 10; count++) await enter(pending, 'a wrong code')
    const refused = await enter(pending, app.code(1))
    expectRefusal(refused, 'too_many_requests', { message: /wrong codes/ })
    expect(refused.headers['retry-after']).toBe('300')
    completedBy(await enter(pending, app.code(1), { querypost_device: device! }))
  })

  test('is turned off with the password and a code', async () => {
    const max = await shop.addPerson('member', 'max@shop.test')
    expectRefusal(await max.page('POST', `${root}/turn-off`, { password: testPassword, code: '000000' }), 'forbidden')
    const { app } = await turnOn(max)
    const turnOff = (given: object) => max.page('POST', `${root}/turn-off`, { password: testPassword, code: app.code(), ...given })
    expectRefusal(await turnOff({ password: 'wrong' }), 'invalid_request', at('/password'))
    expectRefusal(await turnOff({ code: app.code(5) }), 'invalid_request', at('/code'))
    expect((await turnOff({})).statusCode).toBe(204)
    signedInBy(await signIn(max.email))
    expect(await actionsOf(max)).toContain('second_factor.turned_off')
  })

  test('is required after a password reset, and before an invitation is accepted', async () => {
    const sue = await shop.addPerson('member', 'sue@shop.test')
    const { app } = await turnOn(sue)
    await anyone(service).post('/app/api/password-reset/request', { email: sue.email })
    await service.services.pendingJobs.settled()
    const token = tokenIn(/http\S+/.exec(emails.at(-1)!.text)![0])
    const pending = pendingIn(await anyone(service).post('/app/api/password-reset', { token, password: newPassword }), 'code')

    const bank = await service.addOrganization('bank')
    const { url } = (await bank.admin.page('POST', '/app/api/invitations', { email: sue.email, role: 'member' })).json()
    const accept = (cookies: Cookies = {}) =>
      anyone(service, cookies).post('/app/api/invitations/accept', { token: tokenIn(url), ...(!cookies['querypost_session'] && { password: newPassword }) })
    expectRefusal(await accept(), 'second_factor_required')
    const session = completedBy(await enter(pending, app.code()))
    expect((await accept(session)).statusCode).toBe(204)
  })

  test('an admin can reset it for members of no other organization', async () => {
    const tom = await shop.addPerson('member', 'tom@shop.test')
    await turnOn(tom)
    const reset = (by: TestPerson, of: TestPerson) => by.page('DELETE', `/app/api/members/${of.caller.userId}/second-factor`)
    const factorOf = async (by: TestPerson) =>
      (await by.page('GET', '/app/api/members')).json().items.find(({ id }: { id: string }) => id === tom.caller.userId).hasSecondFactor
    expect([await factorOf(shop.admin), await factorOf(tom)]).toEqual([true, null])
    expectRefusal(await reset(tom, tom), 'forbidden')
    expectRefusal(await reset(shop.admin, shop.admin), 'forbidden', { message: /account settings/ })
    expect((await reset(shop.admin, tom)).statusCode).toBe(204)
    expect((await reset(shop.admin, tom)).statusCode).toBe(204)
    expect((await actionsOf(tom)).filter((action) => action === 'second_factor.reset')).toHaveLength(1)
    expect(emails.at(-1)).toMatchObject({ to: tom.email, subject: 'Second factor removed by an administrator for Querypost' })
    expectRefusal(await tom.page('GET', '/app/api/session'), 'unauthenticated')
    signedInBy(await signIn(tom.email))

    const both = await shop.addPerson('member', 'both@shop.test')
    await turnOn(both)
    const club = await service.addOrganization('club')
    const { url } = (await club.admin.page('POST', '/app/api/invitations', { email: both.email, role: 'member' })).json()
    await anyone(service, both.session).post('/app/api/invitations/accept', { token: tokenIn(url) })
    expectRefusal(await reset(shop.admin, both), 'forbidden', { message: /operator/ })
  })

  describe('required by the organization', () => {
    const requirement = (of: TestOrganization, secondFactorRequired: boolean) =>
      of.admin.page('PATCH', '/app/api/organization', { secondFactorRequired })

    test('is set up at the next sign-in; sessions without it end, and it cannot be turned off', async () => {
      const inn = await service.addOrganization('inn')
      const guest = await inn.addPerson('member', 'guest@inn.test')
      expectRefusal(await guest.page('PATCH', '/app/api/organization', { secondFactorRequired: true }), 'forbidden')
      expectRefusal(await requirement(inn, true), 'second_factor_required', { message: /your own second factor/ })
      const { app } = await turnOn(inn.admin)
      expect((await requirement(inn, true)).json()).toMatchObject({ secondFactorRequired: true })
      expect((await inn.admin.page('GET', '/app/api/session')).statusCode).toBe(200)
      expectRefusal(await guest.page('GET', '/app/api/session'), 'unauthenticated')
      expect((await guest.api('GET', '/api/me')).statusCode).toBe(200)
      expectRefusal(await inn.admin.page('POST', `${root}/turn-off`, { password: testPassword, code: app.code() }), 'second_factor_required')

      const pending = pendingIn(await signIn(guest.email), 'set_up')
      const visitor = anyone(service, pending)
      expect((await visitor.get('/app/api/sign-in/second-step')).json()).toEqual({ step: 'set_up', email: guest.email })
      expectRefusal(await enter(pending, '000000'), 'unauthenticated')
      const { key, offer } = (await visitor.post('/app/api/sign-in/second-factor/offer')).json()
      const own = appWith(key, service.clock)
      const confirm = (code: string) => visitor.post('/app/api/sign-in/second-factor', { offer, code })
      expectRefusal(await confirm(own.code(5)), 'invalid_request', at('/code'))
      const done = await confirm(own.code())
      expect(done.json().recoveryCodes).toHaveLength(10)
      expect((await anyone(service, cookiesOf(done)).get('/app/api/session')).json()).toMatchObject({ user: { email: guest.email } })
      expectRefusal(await confirm(own.code()), 'unauthenticated')
      service.clock.leap(2 * stepMs)
      pendingIn(await signIn(guest.email), 'code')

      expect((await requirement(inn, false)).json()).toMatchObject({ secondFactorRequired: false })
    })

    test('applies to new members, and to people who come from another organization', async () => {
      const gym = await service.addOrganization('gym')
      await turnOn(gym.admin)
      await requirement(gym, true)
      const invite = async (email: string) =>
        tokenIn((await gym.admin.page('POST', '/app/api/invitations', { email, role: 'member' })).json().url)
      const given = { token: await invite('new@gym.test'), name: 'New', password: testPassword }
      pendingIn(await anyone(service).post('/app/api/invitations/accept', given), 'set_up')

      const zoe = await shop.addPerson('member', 'zoe@shop.test')
      const token = await invite(zoe.email)
      const accept = () => anyone(service, zoe.session).post('/app/api/invitations/accept', { token })
      expectRefusal(await accept(), 'second_factor_required')
      await turnOn(zoe)
      expect((await accept()).statusCode).toBe(204)

      const leo = await shop.addPerson('member', 'leo@shop.test')
      await service.services.db
        .insertInto('memberships')
        .values({ organization_id: gym.admin.caller.organizationId, user_id: leo.caller.userId, role: 'member', created_at: service.clock.now() })
        .execute()
      const move = () => leo.page('POST', '/app/api/session/organization', { organizationId: gym.admin.caller.organizationId })
      expectRefusal(await move(), 'second_factor_required')
      await turnOn(leo)
      expect((await move()).statusCode).toBe(204)
    })
  })
})
