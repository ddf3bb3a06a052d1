import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeMail } from '../../../ports/smtp-mail.ts'
import { type MailServer, startMailServer } from '../../../../testing/servers/mail-server.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'

const url = '/app/api/notifications'

describe.each(routeStoreKinds)('e-mail settings on %s', (kind) => {
  let server: MailServer
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    server = await startMailServer()
    const mail = makeMail({ url: server.url, from: 'Querypost <querypost@example.com>' })
    service = await startTestService(kind, { worker: false, mail })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(async () => {
    await service.stop()
    await service.services.mail?.close()
    await server.close()
  })
  afterEach(() => {
    server.emails.length = 0
  })

  const settings = (person: TestPerson) => person.page('GET', `${url}/settings`)
  const set = (person: TestPerson, body: unknown) => person.page('PATCH', `${url}/settings`, body)

  test('belong to the user, and are on by default', async () => {
    const before = { emailEnabled: true, commentEmailEnabled: true, canSendMail: true, email: 'member@shop.test' }
    expect((await settings(member)).json()).toEqual(before)
    const off = await set(member, { emailEnabled: false })
    expect([off.statusCode, off.json()]).toEqual([200, { ...before, emailEnabled: false }])
    expect((await settings(member)).json()).toEqual({ ...before, emailEnabled: false })
    expect((await settings(shop.admin)).json()).toEqual({ ...before, email: 'admin@shop.test' })
    expect((await set(member, {})).json()).toEqual({ ...before, emailEnabled: false })
    expect((await set(member, { emailEnabled: true })).json()).toEqual(before)
  })

  test.each([
    [{ emailEnabled: 'no' }, '/emailEnabled'],
    [{ email: 'eve@example.com' }, '/email'],
    [{ canSendMail: false }, '/canSendMail'],
  ])('reject %o', async (body, place) => {
    expectRefusal(await set(member, body), 'invalid_request', at(place))
  })

  test('an admin can send a test e-mail', async () => {
    const answer = await shop.admin.page('POST', `${url}/test-email`)
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }])
    const text = expect.stringContaining('https://querypost.test/')
    expect(server.emails).toMatchObject([{ to: ['admin@shop.test'], text }])
  })

  test('an error of the mail server is reported', async () => {
    server.answers.recipient.push({ status: 550, message: 'we do not know you' })
    const answer = await shop.admin.page('POST', `${url}/test-email`)
    expect(answer.statusCode).toBe(200)
    const message = expect.stringMatching(/admin@shop\.test.*550 we do not know you/)
    expect(answer.json()).toEqual({ ok: false, message })
    expect(server.emails).toEqual([])
  })

  test('members cannot send test e-mails', async () => {
    expectRefusal(await member.page('POST', `${url}/test-email`), 'forbidden', { message: /admin/ })
    expect(server.emails).toEqual([])
  })
})

test('without a mail server, the settings and the test report it', async () => {
  const service = await startTestService('postgres', { worker: false })
  const { admin } = await service.addOrganization('shop')
  expect((await admin.page('GET', `${url}/settings`)).json()).toMatchObject({ canSendMail: false })
  const answer = await admin.page('POST', `${url}/test-email`)
  const message = expect.stringMatching(/SMTP_URL.*SMTP_FROM/)
  expect([answer.statusCode, answer.json()]).toEqual([200, { ok: false, message }])
  await service.stop()
})
