import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bootstrapPeople } from '../../../domain/people/bootstrap.ts'
import { makeMail } from '../../../ports/smtp-mail.ts'
import { type MailServer, startMailServer } from '../../../../testing/servers/mail-server.ts'
import {
  startTestService,
  type TestOrganization,
  testPassword,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { anyone, newPassword, signedInBy, statusesOf, tokenIn } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

const noToken = 'A'.repeat(43)

describe.each(routeStoreKinds)('the welcome link of a first start on %s', (kind) => {
  let service: TestService
  let token: string
  let printedPassword: string

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    const made = (await bootstrapPeople(service.services, { email: 'admin@localhost' }))!
    token = made.welcomeToken!
    printedPassword = made.password
  })
  afterAll(() => service.stop())

  const choice = (change: object = {}) => ({
    token,
    name: 'Ada',
    password: newPassword,
    organizationName: 'Acme',
    ...change,
  })

  test('shows its account, any number of times', async () => {
    for (let count = 0; count < 2; count++) {
      const answer = await anyone(service).post('/app/api/welcome/read', { token })
      expect(answer.json()).toEqual({ email: 'admin@localhost', organizationName: 'My organization' })
    }
  })

  test.each([
    [{ name: ' ' }, '/name'],
    [{ password: 'short' }, '/password'],
    [{ organizationName: '' }, '/organizationName'],
    [{ email: 'ada' }, '/email'],
  ])('rejects %j, and can still be used', async (change, place) => {
    expectRefusal(await anyone(service).post('/app/api/welcome', choice(change)), 'invalid_request', at(place))
  })

  test('sets up the first admin’s account once, and ends sessions of the printed password', async () => {
    const printed = { email: 'admin@localhost', password: printedPassword }
    const earlier = signedInBy(await anyone(service).post('/app/api/session', printed))
    const made = await anyone(service).post('/app/api/welcome', choice({ email: 'ada@acme.test' }))
    const session = await anyone(service, signedInBy(made)).get('/app/api/session')
    expect(session.json()).toMatchObject({
      user: { name: 'Ada', email: 'ada@acme.test' },
      organization: { name: 'Acme' },
      role: 'admin',
    })
    expectRefusal(await anyone(service, earlier).get('/app/api/session'), 'unauthenticated')
    expectRefusal(await anyone(service).post('/app/api/session', printed), 'unauthenticated')
    signedInBy(await anyone(service).post('/app/api/session', { email: 'ada@acme.test', password: newPassword }))

    for (const [url, body] of [['/app/api/welcome/read', { token }], ['/app/api/welcome', choice()]] as const) {
      expectRefusal(await anyone(service).post(url, body), 'link_not_valid', { message: /already been used/ })
    }
  })

  test.each(['', 'short', noToken])('%j is not a valid link', async (given) => {
    expectRefusal(await anyone(service).post('/app/api/welcome/read', { token: given }), 'link_not_valid')
    expectRefusal(await anyone(service).post('/app/api/welcome', choice({ token: given })), 'link_not_valid')
  })
})

test('a welcome link expires after 24 hours; there is none if the operator set the password', async () => {
  const service = await startTestService('postgres', { worker: false })
  const made = (await bootstrapPeople(service.services, { email: 'admin@localhost' }))!
  const read = () => anyone(service).post('/app/api/welcome/read', { token: made.welcomeToken })
  service.clock.leap(24 * 3600_000 - 1)
  expect((await read()).statusCode).toBe(200)
  service.clock.leap(1)
  expectRefusal(await read(), 'link_not_valid', { message: /has expired/ })
  await service.stop()

  const given = await startTestService('postgres', { worker: false })
  const admin = { email: 'admin@localhost', password: testPassword }
  expect(await bootstrapPeople(given.services, admin)).toMatchObject({ welcomeToken: null })
  await given.stop()
})

describe('a forgotten password', () => {
  let mailServer: MailServer
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    mailServer = await startMailServer()
    const mail = makeMail({ url: mailServer.url, from: 'querypost@shop.test' })
    service = await startTestService('postgres', { worker: false, mail })
    shop = await service.addOrganization('shop')
  })
  afterAll(async () => {
    await service.stop()
    await service.services.mail!.close()
    await mailServer.close()
  })

  /** The links in the e-mails that this request caused. */
  async function ask(email: string): Promise<string[]> {
    const before = mailServer.emails.length
    const answer = await anyone(service).post('/app/api/password-reset/request', { email })
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    await service.services.pendingJobs.settled()
    return mailServer.emails.slice(before).map(({ to, text }) => {
      expect(to).toEqual([shop.admin.email])
      return tokenIn(/https:\/\/querypost\.test\/reset#[\w-]{43}/.exec(text)![0])
    })
  }
  const reset = (token: string, password = newPassword) =>
    anyone(service).post('/app/api/password-reset', { token, password })
  const signIn = (password: string) => anyone(service).post('/app/api/session', { email: shop.admin.email, password })

  test('an unknown address gets the same response, and no e-mail is sent', async () => {
    expect(await ask('nobody@shop.test')).toEqual([])
    expect((await anyone(service).get('/app/api/sign-in-options')).json()).toEqual({ oidc: null, canResetPassword: true })
  })

  test('a link sets a new password once, signs in, ends all other sessions, and invalidates other links', async () => {
    const [token] = await ask(` ${shop.admin.email.toUpperCase()} `)
    const [other] = await ask(shop.admin.email)
    const read = await anyone(service).post('/app/api/password-reset/read', { token })
    expect(read.json()).toEqual({ email: shop.admin.email })
    expectRefusal(await anyone(service).post('/app/api/welcome/read', { token }), 'link_not_valid')
    expectRefusal(await reset(token!, 'short'), 'invalid_request', at('/password'))
    const cookies = signedInBy(await reset(token!))
    expect((await anyone(service, cookies).get('/app/api/session')).statusCode).toBe(200)
    expectRefusal(await shop.admin.page('GET', '/app/api/session'), 'unauthenticated')
    expect((await shop.admin.api('GET', '/api/me')).statusCode).toBe(200)
    expectRefusal(await signIn(testPassword), 'unauthenticated')
    signedInBy(await signIn(newPassword))
    expectRefusal(await reset(token!), 'link_not_valid', { message: /already been used/ })
    expectRefusal(await reset(other!), 'link_not_valid')
  })

  test('of two concurrent uses of a link one is rejected', async () => {
    service.clock.leap(3600_000)
    const [token] = await ask(shop.admin.email)
    const answers = await Promise.all([reset(token!), reset(token!)])
    expect(statusesOf(answers)).toEqual([204, 404])
  })

  test('a link expires after an hour, and at most three e-mails are sent in that time', async () => {
    service.clock.leap(3600_000)
    const [token] = await ask(shop.admin.email)
    service.clock.leap(3600_000 - 1)
    expect((await anyone(service).post('/app/api/password-reset/read', { token })).statusCode).toBe(200)
    service.clock.leap(1)
    expectRefusal(await reset(token!), 'link_not_valid', { message: /has expired/ })
    const counts = []
    for (let count = 0; count < 5; count++) counts.push((await ask(shop.admin.email)).length)
    expect(counts).toEqual([1, 1, 1, 0, 0])
  })

  test('an error of the mail server does not change the response', async () => {
    service.clock.leap(3600_000)
    mailServer.answers.content.push({ status: 554, message: 'no' })
    expect(await ask(shop.admin.email)).toEqual([])
  })
})

test('without a mail server, the request is rejected', async () => {
  const service = await startTestService('postgres', { worker: false })
  const answer = await anyone(service).post('/app/api/password-reset/request', { email: 'admin@shop.test' })
  expectRefusal(answer, 'forbidden', { message: /administrator/ })
  await service.stop()
})
