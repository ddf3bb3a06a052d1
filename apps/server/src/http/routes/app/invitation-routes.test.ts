import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeMail } from '../../../ports/smtp-mail.ts'
import { shownHeader, startMailServer } from '../../../../testing/servers/mail-server.ts'
import {
  startTestService,
  testPassword,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { anyone, newPassword, signedInBy, statusesOf, tokenIn } from '../../../../testing/http/people.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('invitations on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
  })
  afterAll(() => service.stop())
  beforeEach(() => service.services.db.deleteFrom('invitations').execute())

  const url = '/app/api/invitations'
  const invite = (email: string, role = 'member', by: TestPerson = shop.admin) => by.page('POST', url, { email, role })
  async function tokenFor(email: string, role = 'member') {
    const answer = await invite(email, role)
    expect(answer.statusCode, answer.body).toBe(201)
    return tokenIn(answer.json().url)
  }
  const read = (token: string) => anyone(service).post(`${url}/read`, { token })
  const accept = (token: string, body: object = {}, cookies = {}) =>
    anyone(service, cookies).post(`${url}/accept`, { token, ...body })
  const list = async () => (await shop.admin.page('GET', url)).json().items as { id: string; email: string }[]

  test('an admin invites: the link is shown once, and the invitation is listed until it is withdrawn', async () => {
    const answer = await invite('  Jane@Elsewhere.test ', 'admin')
    expect(answer.statusCode).toBe(201)
    const { url: link, isMailed, mailFault, ...invitation } = answer.json()
    expect(link).toMatch(/^https:\/\/querypost\.test\/invitation#[\w-]{43}$/)
    expect({ isMailed, mailFault }).toEqual({ isMailed: false, mailFault: null })
    expect(invitation).toEqual({
      id: expect.stringMatching(/^invitation_/),
      email: 'Jane@Elsewhere.test',
      role: 'admin',
      invitedBy: { id: shop.admin.caller.userId, name: 'admin' },
      createdAt: service.clock.now().toISOString(),
      expiresAt: new Date(service.clock.now().getTime() + 7 * 24 * 3600_000).toISOString(),
    })
    expect(await list()).toEqual([invitation])
    expect((await read(tokenIn(link))).json()).toEqual({
      organizationName: 'shop',
      email: 'Jane@Elsewhere.test',
      role: 'admin',
      invitedByName: 'admin',
      expiresAt: invitation.expiresAt,
    })
    expect((await shop.admin.page('DELETE', `${url}/${invitation.id}`)).statusCode).toBe(204)
    expect(await list()).toEqual([])
    expectRefusal(await read(tokenIn(link)), 'link_not_valid', { message: /withdrawn/ })
    expectRefusal(await shop.admin.page('DELETE', `${url}/${invitation.id}`), 'invitation_not_found')
    expectRefusal(await shop.admin.page('DELETE', `${url}/%00`), 'invitation_not_found')
  })

  test.each([
    [{ email: 'nobody', role: 'member' }, '/email'],
    [{ email: 'a@b.test', role: 'owner' }, '/role'],
    [{ email: 'a@b.test' }, '/role'],
  ])('rejects %j', async (body, place) => {
    expectRefusal(await shop.admin.page('POST', url, body), 'invalid_request', at(place))
  })

  test('an address has one open invitation, and members cannot be invited', async () => {
    await tokenFor('twice@elsewhere.test')
    const again = at('/email', expect.stringMatching(/open invitation/))
    expectRefusal(await invite('TWICE@elsewhere.test'), 'invalid_request', again)
    expect((await invite('twice@elsewhere.test', 'member', bank.admin)).statusCode).toBe(201)
    const member = at('/email', expect.stringMatching(/member of the organization/))
    expectRefusal(await invite('ADMIN@shop.test'), 'invalid_request', member)
    service.clock.leap(7 * 24 * 3600_000)
    expect((await invite('twice@elsewhere.test')).statusCode).toBe(201)
    expect(await list()).toHaveLength(1)
  })

  test('a new person chooses a name and a password and joins; the link cannot be reused', async () => {
    const token = await tokenFor('new@elsewhere.test')
    expectRefusal(await accept(token), 'invalid_request', at('/password'))
    expectRefusal(await accept(token, { name: 'Nora' }), 'invalid_request', at('/password'))
    expectRefusal(await accept(token, { name: 'Nora', password: 'short' }), 'invalid_request', at('/password'))
    const cookies = signedInBy(await accept(token, { name: 'Nora', password: newPassword }))
    expect((await anyone(service, cookies).get('/app/api/session')).json()).toMatchObject({
      user: { name: 'Nora', email: 'new@elsewhere.test' },
      organization: { name: 'shop' },
      role: 'member',
    })
    expect(await list()).toEqual([])
    const used = { message: /already been accepted/ }
    expectRefusal(await read(token), 'link_not_valid', used)
    expectRefusal(await accept(token, { name: 'Mallory', password: newPassword }), 'link_not_valid', used)
  })

  test('an invitation expires after seven days', async () => {
    const token = await tokenFor('late@elsewhere.test')
    service.clock.leap(7 * 24 * 3600_000)
    expectRefusal(await read(token), 'link_not_valid', { message: /has expired/ })
    expectRefusal(await accept(token, { name: 'L', password: newPassword }), 'link_not_valid', { message: /has expired/ })
  })

  test('a person with an account proves ownership with the password', async () => {
    const person = await bank.addPerson('admin', `account@${kind}.test`)
    const token = await tokenFor(person.email)
    service.clock.leap(1)
    expectRefusal(await accept(token), 'invalid_request', at('/password'))
    expectRefusal(await accept(token, { password: newPassword }), 'invalid_request', at('/password'))
    // Another user who is signed in where the link is opened does not join instead.
    expectRefusal(await accept(token, {}, bank.admin.session), 'invalid_request', at('/password'))
    const cookies = signedInBy(await accept(token, { password: testPassword }))
    expect((await anyone(service, cookies).get('/app/api/session')).json()).toMatchObject({
      user: { id: person.caller.userId, name: 'account' },
      organization: { name: 'shop' },
      role: 'member',
      organizations: [{ name: 'bank', role: 'admin' }, { name: 'shop', role: 'member' }],
    })
  })

  test('does not tell whether the address has an account, until the invitation is used', async () => {
    const person = await bank.addPerson('member', `known@${kind}.test`)
    const known = await tokenFor(person.email)
    const unknown = await tokenFor(`unknown@${kind}.test`)
    // An account that only signs in with the provider has no password.
    const withoutPassword = await bank.addPerson('member', `no-password-known@${kind}.test`)
    const { db } = service.services
    await db.updateTable('users').set({ password_hash: null }).where('id', '=', withoutPassword.caller.userId).execute()
    const passwordless = await tokenFor(withoutPassword.email)
    const keys = async (token: string) => Object.keys((await read(token)).json<object>()).toSorted()
    expect(await keys(known)).toEqual(await keys(unknown))
    const attempts = [{}, { name: 'N' }, { password: newPassword }, { name: '', password: newPassword }, { name: 'N', password: 'short' }]
    for (const attempt of attempts) {
      const answers = [await accept(unknown, attempt), await accept(known, attempt), await accept(passwordless, attempt)]
      const bodies = answers.map((answer) => answer.json<object>())
      expect(bodies[1], JSON.stringify(attempt)).toEqual(bodies[0])
      expect(bodies[2], JSON.stringify(attempt)).toEqual(bodies[0])
      expect(answers[0]!.statusCode).toBe(400)
    }
  })

  test('a signed-in person needs no password, and is switched to the new organization', async () => {
    const person = await bank.addPerson('member', `signed-in@${kind}.test`)
    const answer = await accept(await tokenFor(person.email, 'admin'), {}, person.session)
    expect([answer.statusCode, answer.cookies]).toEqual([204, []])
    const session = (await person.page('GET', '/app/api/session')).json()
    expect(session).toMatchObject({ organization: { name: 'shop' }, role: 'admin' })
  })

  test('password guesses through an invitation are limited like sign-ins', async () => {
    const person = await bank.addPerson('member', `guessed@${kind}.test`)
    const token = await tokenFor(person.email)
    for (let count = 0; count < 10; count++) await accept(token, { password: 'a wrong guess' })
    expectRefusal(await accept(token, { password: testPassword }), 'too_many_requests')
  })

  test('of two concurrent acceptances one is rejected', async () => {
    const token = await tokenFor('race@elsewhere.test')
    const body = { name: 'R', password: newPassword }
    const answers = await Promise.all([accept(token, body), accept(token, body)])
    expect(statusesOf(answers)).toEqual([204, 404])
  })

  test.each(['', 'x', 'A'.repeat(43)])('%j is not an invitation', async (token) => {
    expectRefusal(await read(token), 'link_not_valid', { message: /incomplete/ })
  })
})

test('with a mail server the link is also e-mailed, and an error of the server is reported', async () => {
  const mailServer = await startMailServer()
  const mail = makeMail({ url: mailServer.url, from: 'querypost@shop.test' })
  const service = await startTestService('postgres', { worker: false, mail })
  const shop = await service.addOrganization('shop')
  await shop.admin.page('PATCH', '/app/api/organization', { name: 'Shop\u2028& sons' })
  const invite = async (email: string) =>
    (await shop.admin.page('POST', '/app/api/invitations', { email, role: 'member' })).json()

  const sent = await invite('jane@elsewhere.test')
  expect(sent).toMatchObject({ isMailed: true, mailFault: null })
  const email = mailServer.emails[0]!
  expect(email.to).toEqual(['jane@elsewhere.test'])
  expect(shownHeader(email, 'subject')).toBe('Join Shop & sons on Querypost')
  expect(email.text).toContain(sent.url)
  expect(email.text).toContain('admin invited you to join Shop & sons')

  mailServer.answers.recipient.push({ status: 550, message: 'no such mailbox' })
  expect(await invite('gone@elsewhere.test')).toMatchObject({
    isMailed: false,
    mailFault: expect.stringContaining('no such mailbox'),
    url: expect.stringContaining('#'),
  })
  await service.stop()
  await mail.close()
  await mailServer.close()
})
