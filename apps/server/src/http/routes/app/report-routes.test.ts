import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { testChannel } from '../../../../testing/channels/test-channel.ts'
import { createAutomation, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { referenceTile } from '../../../../testing/http/board-requests.ts'
import { createEndpoint } from '../../../../testing/http/webhook-requests.ts'
import { at, expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import type { OutgoingReport } from '../../../domain/channels/channel-sender.ts'
import { makeReportLinks } from '../../../domain/report-links.ts'
import type { SendOutcome } from '../../../model/report.ts'
import { type Email, MailError } from '../../../ports/mail.ts'

interface ShownDelivery {
  id: string
  reportId: string
  purpose: string
  recipient: string
  values: Record<string, string> | null
  state: string
  dropReason: string | null
  attempts: { outcome: string; detail: string | null }[]
}

const guest = 'guest@example.com'

describe.each(routeStoreKinds)('reports on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let automationId: string
  let boardShortId: string
  let tileReference: string
  let url: string
  const emails: Email[] = []
  const posted: OutgoingReport[] = []
  let outcome: SendOutcome = { kind: 'sent' }
  async function send(email: Email) {
    if (email.to.startsWith('unknown')) throw new MailError('550 no such user', true, true)
    emails.push(email)
  }

  beforeAll(async () => {
    service = await startTestService(kind, { mail: { send, close: async () => {} } })
    service.services.channels.kinds.teams = testChannel({ sent: posted, outcome: () => outcome })
    shop = await service.addOrganization('shop')
    const query = await storeQuery(shop, 'select count(*) as many from numbers where n >= {{least}}')
    const least = { name: 'least', displayName: 'Least', type: 'number', defaultValue: '0', description: '' }
    const reference = await storeReference(shop, query.id, { title: 'How many' })
    tileReference = reference.shortId
    await shop.admin.page('PATCH', `/app/api/references/${tileReference}`, { parameters: [least] })
    const tile = referenceTile('many', tileReference, 0, { parameterMapping: { least: 'least' } })
    const board = await shop.admin.page('POST', '/app/api/boards', { title: 'Store', parameters: [least], tiles: [tile] })
    boardShortId = board.json().shortId
  })
  beforeEach(async () => {
    emails.length = 0
    posted.length = 0
    outcome = { kind: 'sent' }
    const total = await storeReferenceTo(shop, 'select sum(n) as total from numbers', 'Total')
    automationId = (await createAutomation(shop, { references: [total] })).id
    url = `/app/api/automations/${automationId}/reports`
  })
  afterAll(() => service.stop())

  const toEmail = (...recipients: object[]) => ({ content: { kind: 'summary' }, target: { kind: 'email', recipients } })
  const address = (email: string) => ({ kind: 'address', email })

  async function add(report: object): Promise<{ id: string; addresses: object[] }> {
    const answer = await shop.admin.page('POST', url, report)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  async function deliveries(search = ''): Promise<ShownDelivery[]> {
    const answer = await shop.admin.page('GET', `/app/api/report-deliveries?limit=100&automationId=${automationId}${search}`)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().items
  }
  /** Runs the automation, and waits until its reports have been sent or dropped. */
  async function run(): Promise<ShownDelivery[]> {
    const started = await shop.admin.page('POST', `/app/api/automations/${automationId}/runs`, {})
    expect(started.statusCode, started.body).toBe(202)
    const { db } = service.services
    const isOver = async () => {
      const jobs = await db.selectFrom('report_jobs').select('state').where('agent_run_id', '=', started.json().id).execute()
      return jobs.length > 0 && jobs.every(({ state }) => state !== 'due')
    }
    await expect.poll(isOver).toBe(true)
    const ofRun = () => deliveries(`&automationRunId=${started.json().id}`)
    await settled()
    return (await ofRun()).toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1))
  }
  async function settled(): Promise<void> {
    await expect.poll(async () => (await deliveries('&state=due')).length).toBe(0)
  }
  const linkIn = (email: Email, name: string) => new RegExp(`/reports/${name}#([\\w-]+)`).exec(email.text)![1]!
  const oneClickPath = ({ headers }: Email) => new URL(/<(http[^>]+)>/.exec(headers!['List-Unsubscribe']!)![1]!).pathname
  const unsubscribe = (email: Email) =>
    service.app.inject({
      method: 'POST',
      url: oneClickPath(email),
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://mail.example' },
      payload: 'List-Unsubscribe=One-Click',
    })

  test('sends the messages of an alert with the new rows, and not the summary of the run that it starts', async () => {
    const orders = await storeReferenceTo(shop, 'select n as id from numbers where n < 2', 'Orders')
    const condition = { reference: orders, kind: 'alert', tests: [{ kind: 'new_rows', keyColumns: ['id'] }] }
    const { id } = await createAutomation(shop, { name: 'Orders', references: [tileReference], condition })
    const toAdmins = { ...toEmail({ kind: 'admins' }), when: 'alert', minimumSeverity: 'warning' }
    expectRefusal(await shop.admin.page('POST', url, toAdmins), 'invalid_request', at('/when'))
    expectRefusal(await shop.admin.page('POST', url, { ...toAdmins, when: 'always' }), 'invalid_request', at('/minimumSeverity'))
    const added = await shop.admin.page('POST', `/app/api/automations/${id}/reports`, toAdmins)
    expect(added.statusCode, added.body).toBe(201)
    const evaluated = async () => {
      const { id: runId } = (await shop.admin.page('POST', `/app/api/references/${orders}/runs`, {})).json()
      await service.ended(shop.admin.caller, runId)
      await expect.poll(async () => (await shop.admin.page('GET', `/app/api/automations/${id}`)).json().conditionState?.runId).toBe(runId)
    }
    await evaluated()
    await shop.admin.page('PATCH', `/app/api/references/${orders}`, { sql: 'select n as id from numbers where n < 4' })
    await evaluated()
    await expect.poll(() => emails.length).toBe(1)
    expect(emails[0]!.subject).toBe('Firing: Orders')
    expect(emails[0]!.text).toContain('There are 2 new rows.')
  })

  test('a board is run once for each distinct set of values, and everyone gets their own', async () => {
    const ben = await shop.addPerson('member', 'Ben@shop.test')
    const three = { least: '3' }
    const entries = [
      { recipient: { kind: 'admins' }, values: three },
      { recipient: { kind: 'member', userId: ben.caller.userId }, values: { least: '8' } },
      { recipient: address(guest), values: three },
    ]
    const board = { kind: 'board', boardShortId }
    await add({ content: board, target: { kind: 'email', recipients: [] }, values: { kind: 'list', entries }, attachments: ['csv', 'png'] })
    await createEndpoint(shop, { eventTypes: ['board.report.sent'] })
    const before = await countRuns()
    const sent = await run()
    expect(sent).toMatchObject([
      { recipient: 'admin@shop.test', values: three, state: 'sent', attempts: [{ outcome: 'sent' }] },
      { recipient: 'ben@shop.test', values: { least: '8' }, state: 'sent' },
      { recipient: guest, values: three, state: 'dropped', dropReason: 'unconfirmed', attempts: [] },
    ])
    expect((await countRuns()) - before).toBe(2)
    const texts = Object.fromEntries(emails.map(({ to, subject, text }) => [to, `${subject}\n${text}`]))
    expect(texts['admin@shop.test']).toMatch(/Store[\s\S]*How many[\s\S]*7/)
    expect(texts['ben@shop.test']).toMatch(/Store[\s\S]*How many[\s\S]*2/)
    expect(texts[guest]).toContain('Nothing is sent until you confirm.')
    const { files = [] } = emails.find(({ to }) => to === 'ben@shop.test')!
    expect(files.map(({ fileName }) => fileName)).toEqual(expect.arrayContaining(['How many.csv', 'Store.png']))
    const { db } = service.services
    const events = await db.selectFrom('webhook_events').select('body').where('type', '=', 'board.report.sent').execute()
    const data = events.map(({ body }) => (JSON.parse(body) as { data: { recipient: string } }).data)
    expect(data.toSorted((a, b) => (a.recipient < b.recipient ? -1 : 1))).toMatchObject([
      { automationId, boardShortId, boardTitle: 'Store', channel: 'email', recipient: 'admin@shop.test' },
      { reportDeliveryId: sent[1]!.id, recipient: 'ben@shop.test' },
    ])
  })
  const countRuns = async () => (await shop.admin.page('GET', `/app/api/references/${tileReference}`).then(async (answer) => {
    const { currentQuery } = answer.json()
    return (await shop.admin.page('GET', `/app/api/queries/${currentQuery.id}/runs?limit=100`)).json().items
  })).length as number

  test('an outside address gets reports once it is confirmed, until it unsubscribes with one click', async () => {
    const email = 'other@example.com'
    const report = await add(toEmail(address('Other@Example.com')))
    expect(report.addresses).toEqual([{ email, state: 'unconfirmed' }])
    await settled()
    expect(emails.map(({ to }) => to)).toEqual([email])
    const again = await shop.admin.page('POST', `${url}/${report.id}/confirmations`, { email })
    expectRefusal(again, 'invalid_request', at('/email', expect.stringContaining('less than an hour ago')))
    const token = linkIn(emails[0]!, 'confirm')
    const visitor = (name: string, given: string) => service.app.inject({ method: 'POST', url: `/app/api/report-links/${name}`, payload: { token: given } })
    expect((await visitor('read', token)).json()).toEqual({ kind: 'confirm', email, organizationName: 'shop', state: 'unconfirmed' })
    expect((await visitor('confirm', token)).statusCode).toBe(204)
    expect(await run()).toMatchObject([{ recipient: email, state: 'sent' }])
    expect(emails).toHaveLength(2)
    expect(emails[1]!.text).toContain('45')
    const left = await unsubscribe(emails[1]!)
    expect(left.statusCode, left.body).toBe(204)
    expect(await run()).toMatchObject([{ recipient: email, state: 'dropped', dropReason: 'unsubscribed' }])
    expect(emails).toHaveLength(2)
    const leaving = oneClickPath(emails[1]!).split('/').at(-1)!
    expect((await visitor('read', leaving)).json()).toMatchObject({ kind: 'unsubscribe', email, isUnsubscribed: true })
    expectRefusal(await visitor('confirm', leaving), 'link_not_valid')
    expectRefusal(await visitor('unsubscribe', `${leaving}x`), 'link_not_valid')
  })

  test('a summary is posted to a channel, whose secret is never returned', async () => {
    const secret = 'https://teams.example/secret'
    const channel = await shop.admin.page('POST', '/app/api/channels', { kind: 'teams', name: 'Sales', secret })
    expect(channel.statusCode, channel.body).toBe(201)
    const { id: channelId } = channel.json()
    const summary = { content: { kind: 'summary' }, target: { kind: 'channel', channelId }, when: 'notable' }
    await add(summary)
    expect(await run()).toMatchObject([{ recipient: 'Sales', state: 'sent' }])
    expect(posted).toMatchObject([{ document: { title: 'Every morning' }, to: { kind: 'channel', channelId, secret } }])
    // The preview and the log show the card that was posted.
    const { card } = posted.map((report) => service.services.channels.kinds.teams!.compose(report))[0] as { card: { body: object[]; actions: object[] } }
    const [logged] = (await deliveries('&state=sent')).map(({ id }) => id)
    const inLog = (await shop.admin.page('GET', `/app/api/report-deliveries/${logged}`)).json().rendered.message
    expect(inLog).toEqual({ kind: 'teams', card: { body: card.body, actions: card.actions } })
    const preview = await shop.admin.page('POST', `${url}/preview`, summary)
    expect(preview.json().rendered.message, preview.body).toMatchObject({ kind: 'teams', card: { actions: card.actions } })
    // The second run finds the same numbers.
    expect(await run()).toEqual([])
    expect(JSON.stringify((await shop.admin.page('GET', '/app/api/channels')).json())).not.toContain('teams.example')
    expectRefusal(await shop.admin.page('DELETE', `/app/api/channels/${channelId}`), 'channel_in_use')
    const { items } = (await shop.admin.page('GET', url)).json()
    expect((await shop.admin.page('DELETE', `${url}/${items[0].id}`)).statusCode).toBe(204)
    expect((await shop.admin.page('DELETE', `/app/api/channels/${channelId}`)).statusCode).toBe(204)
  })

  test('an admin tests a channel, and learns in words why it does not work', async () => {
    const body = { kind: 'teams', name: 'New', secret: 'https://teams.example/new' }
    const { id } = (await shop.admin.page('POST', '/app/api/channels', body)).json()
    const testUrl = `/app/api/channels/${id}/test`
    const send = (given?: object) => shop.admin.page('POST', testUrl, given)
    expect((await send()).statusCode).toBe(204)
    expect((await send({ conversation: 'C1' })).statusCode).toBe(204)
    expect(posted).toMatchObject([
      { document: { title: 'Test message from Querypost', preview: 'Reports of shop can be sent here.' }, to: { channelId: id, secret: body.secret } },
      { to: { conversation: 'C1' } },
    ])
    outcome = { kind: 'refused_for_good', detail: 'The workflow was deleted.', isChannelBroken: true }
    expectRefusal(await send(), 'channel_test_failed', { message: /^The workflow was deleted\.$/ })
    outcome = { kind: 'refused_for_now', detail: 'Too many requests (429).' }
    expectRefusal(await send(), 'channel_test_failed', { message: /^Too many requests/ })
    // A failed test says nothing about reports, so the channel stays enabled.
    const { items } = (await shop.admin.page('GET', '/app/api/channels')).json<{ items: { id: string }[] }>()
    expect(items.find((channel) => channel.id === id)).toMatchObject({ state: 'enabled', failureCount: 0, lastUsedAt: null })
    outcome = { kind: 'sent' }
    const member = await shop.addPerson('member', 'tester@shop.test')
    expectRefusal(await member.page('POST', testUrl), 'forbidden')
    expectRefusal(await send({ conversation: '' }), 'invalid_request', at('/conversation'))
    expectRefusal(await shop.admin.page('POST', '/app/api/channels/chn_nothing/test'), 'channel_not_found')
    const codes = await Promise.all(Array.from({ length: 25 }, async () => (await send()).statusCode))
    expect(new Set(codes)).toEqual(new Set([204, 429]))
  })

  describe('a file that cannot be attached', () => {
    const visit = (token: string) => service.app.inject({ method: 'GET', url: `/app/api/report-links/files/${token}` })
    let sending: ReturnType<typeof sendFiles> | undefined
    /** One report serves all tests. */
    const sent = () => (sending ??= sendFiles())

    /** Teams takes no files, so every attachment becomes a link. */
    async function sendFiles() {
      const channel = await shop.admin.page('POST', '/app/api/channels', { kind: 'teams', name: 'Files', secret: 'https://teams.example/files' })
      const target = { kind: 'channel', channelId: channel.json().id }
      const { id: reportId } = await add({ content: { kind: 'board', boardShortId }, target, attachments: ['csv', 'xlsx', 'png', 'pdf'] })
      expect(await run()).toMatchObject([{ recipient: 'Files', state: 'sent' }])
      const [{ document, attachments }] = posted as [OutgoingReport]
      expect(attachments).toEqual([])
      const files = document.downloads!.map(({ fileName, expiresAt, link }) => ({ fileName, expiresAt, token: new URL(link).hash.slice(1) }))
      return { reportId, reportUrl: `${url}/${reportId}`, files }
    }

    test('is downloaded without signing in', async () => {
      const { files } = await sent()
      expect(files.map(({ fileName }) => fileName)).toEqual(['How many.csv', 'Store.xlsx', 'Store.png', 'Store.pdf'])
      const sizes = [null, null, expect.any(Number), expect.any(Number)]
      const beginnings = ['many\r\n10', 'PK', '\u{89}PNG', '%PDF']
      for (const [at, { fileName, token, expiresAt }] of files.entries()) {
        const read = await service.app.inject({ method: 'POST', url: '/app/api/report-links/read', payload: { token } })
        expect(read.json()).toEqual({ kind: 'download', fileName, organizationName: 'shop', expiresAt, sizeBytes: sizes[at] })
        const file = await visit(token)
        expect(file.rawPayload.toString('latin1').replace('\u{EF}\u{BB}\u{BF}', '').startsWith(beginnings[at]!), fileName).toBe(true)
        expect(file.headers).toMatchObject({
          'content-disposition': expect.stringContaining(`attachment; filename="${fileName}"`),
          'cache-control': 'private, no-store',
          'x-robots-tag': 'noindex, nofollow',
          'referrer-policy': 'no-referrer',
        })
        expect(file.headers['set-cookie']).toBeUndefined()
      }
    })

    test('is refused to someone who changes the link or makes one up', async () => {
      const { reportLinks } = service.services
      const { files, reportId } = await sent()
      const { token } = files[0]!
      const key = reportLinks.read(token) as { kind: 'download'; organizationId: string; contentId: string; position: number }
      const { organizationId, contentId } = key
      const bank = await service.addOrganization('bank')
      const forged = makeReportLinks({ secretKey: Buffer.from('another key, of the same length!'), baseUrl: '' }).tokenOf(key)
      const changed = Buffer.from(token, 'base64url')
      changed[changed.length - 2] = '1'.charCodeAt(0)
      // The service signs what others must not: even then, a token opens only the file that it names, in its organization.
      const signed = [
        { ...key, position: 4 },
        { ...key, position: -1 },
        { ...key, contentId: 'rct_nothing' },
        { ...key, organizationId: bank.admin.caller.organizationId },
        { kind: 'confirm', organizationId, email: guest },
        { kind: 'unsubscribe', organizationId, reportId, email: guest },
      ] as const
      const wrong = [forged, changed.toString('base64url'), token.slice(0, -1), `${token}A`, contentId, '..%2f..', ...signed.map(reportLinks.tokenOf)]
      for (const each of wrong) expectRefusal(await visit(each), 'link_not_valid')
      for (const name of ['confirm', 'unsubscribe', 'resubscribe']) {
        const misused = await service.app.inject({ method: 'POST', url: `/app/api/report-links/${name}`, payload: { token } })
        expectRefusal(misused, 'link_not_valid')
      }
      expect((await visit(token)).statusCode).toBe(200)
    })

    test('is limited for each network, as public links are', async () => {
      const { files } = await sent()
      const fromOne = { method: 'GET', url: '/app/api/report-links/files/guess', remoteAddress: '203.0.113.9' } as const
      const guesses = await Promise.all(Array.from({ length: 601 }, () => service.app.inject(fromOne)))
      expect(guesses.filter(({ statusCode }) => statusCode === 404)).toHaveLength(600)
      expectRefusal(guesses.find(({ statusCode }) => statusCode !== 404)!, 'too_many_requests')
      expect((await visit(files[0]!.token)).statusCode).toBe(200)
    })

    test('is refused after the link has expired, the report was deleted, or public links were turned off', async () => {
      const { files, reportUrl } = await sent()
      const refused = async (count: number) => {
        const codes = await Promise.all(files.map(async ({ token }) => (await visit(token)).statusCode))
        expect(codes.filter((code) => code === 404)).toHaveLength(count)
      }
      const organization = '/app/api/organization'
      expect((await shop.admin.page('PATCH', organization, { publicLinksEnabled: false })).statusCode).toBe(200)
      await refused(4)
      expect((await shop.admin.page('PATCH', organization, { publicLinksEnabled: true })).statusCode).toBe(200)
      await refused(0)
      const key = service.services.reportLinks.read(files[3]!.token) as { contentId: string }
      const { db } = service.services
      const ofDocument = db.updateTable('report_downloads').where('content_id', '=', key.contentId).where('position', '=', 3)
      await ofDocument.set({ expires_at: new Date(0) }).execute()
      await refused(1)
      expect((await shop.admin.page('DELETE', reportUrl)).statusCode).toBe(204)
      await refused(4)
    })
  })

  test('a group gets the report by its members of the moment, each of them once', async () => {
    const [dora, emil, finn] = await Promise.all(['dora', 'emil', 'finn'].map((name) => shop.addPerson('member', `${name}@shop.test`)))
    const idOf = (person: typeof dora) => person!.caller.userId
    const setMembers = (groupId: string, ...people: (typeof dora)[]) =>
      shop.admin.page('PATCH', `/app/api/groups/${groupId}`, { memberIds: people.map(idOf) })
    const sales = (await shop.admin.page('POST', '/app/api/groups', { name: 'Sales', memberIds: [dora, emil].map(idOf) })).json()
    const press = (await shop.admin.page('POST', '/app/api/groups', { name: 'Press' })).json()
    expect((await dora!.page('GET', '/app/api/recipient-groups')).json().items).toEqual([
      { id: press.id, name: 'Press', memberCount: 0 },
      { id: sales.id, name: 'Sales', memberCount: 2 },
    ])
    const toGroup = (groupId: string) => ({ kind: 'group', groupId })
    const toBoth = toEmail(toGroup(sales.id), { kind: 'member', userId: idOf(dora) }, toGroup(press.id))
    const recipientsOf = (answer: ShownDelivery[]) => answer.map(({ recipient, state }) => [recipient, state])
    const { id } = await add(toBoth)
    expect(recipientsOf(await run())).toEqual([['dora@shop.test', 'sent'], ['emil@shop.test', 'sent']])
    const preview = await shop.admin.page('POST', `${url}/preview`, toBoth)
    const previewed = preview.json<{ recipients: { email: string }[] }>().recipients.map(({ email }) => email)
    expect(previewed.toSorted()).toEqual(['dora@shop.test', 'emil@shop.test'])

    const left = await unsubscribe(emails.find(({ to }) => to === 'dora@shop.test')!)
    expect(left.statusCode, left.body).toBe(204)
    await setMembers(sales.id, dora, emil, finn)
    expect(recipientsOf(await run())).toEqual([['dora@shop.test', 'dropped'], ['emil@shop.test', 'sent'], ['finn@shop.test', 'sent']])

    await shop.admin.page('DELETE', `/app/api/groups/${sales.id}`)
    const change = await shop.admin.page('PATCH', `${url}/${id}`, { when: 'notable' })
    expect(change.json().target.recipients, change.body).toContainEqual({ kind: 'group', groupId: sales.id, name: 'Sales' })
    await shop.admin.page('PATCH', `${url}/${id}`, { when: 'always', target: toEmail({ ...toGroup(sales.id), name: 'Other' }, toGroup(press.id)).target })
    const empty = await shop.admin.page('POST', `${url}/preview`, toEmail(toGroup(sales.id), toGroup(press.id)))
    expect(empty.json(), empty.body).toMatchObject({ recipients: [], recipientCount: 0 })
    expect(await run()).toEqual([])
    expectRefusal(await shop.admin.page('POST', url, toEmail(toGroup(sales.id))), 'invalid_request', at('/target/recipients/0/groupId'))
  })

  test('a preview shows what a recipient would get, a test sends it to me, and both can be repeated', async () => {
    const report = { ...toEmail({ kind: 'admins' }, address(guest)), content: { kind: 'board', boardShortId } }
    const preview = await shop.admin.page('POST', `${url}/preview`, report)
    expect(preview.statusCode, preview.body).toBe(200)
    expect(preview.json()).toMatchObject({
      recipients: [{ email: 'admin@shop.test', isMember: true, dropReason: null }, { email: guest, isMember: false, dropReason: 'unconfirmed' }],
      recipientCount: 2,
      rendered: { document: { title: 'Store', sections: [{ kind: 'table', title: 'How many', rows: [[10]] }] } },
    })
    expect(emails).toEqual([])
    const { id } = await add(report)
    const test = await shop.admin.page('POST', `${url}/${id}/test`, { to: 'me' })
    expect(test.statusCode, test.body).toBe(204)
    const tests = async () => (await deliveries()).filter(({ purpose, state }) => purpose === 'test' && state === 'sent')
    await expect.poll(async () => (await tests()).length).toBe(1)
    const [sent] = await tests()
    expect((await shop.admin.page('GET', `/app/api/report-deliveries/${sent!.id}`)).json().rendered.document.title).toBe('Store')
    expect((await shop.admin.page('POST', `/app/api/report-deliveries/${sent!.id}/resend`)).json()).toMatchObject({ state: 'due' })
    await expect.poll(() => emails.filter(({ to }) => to === 'admin@shop.test').length).toBe(2)
    await settled()
    expect((await tests())[0]!.attempts).toHaveLength(2)
    const ids = emails.filter(({ to }) => to === 'admin@shop.test').map((email) => email.id)
    expect(new Set(ids).size).toBe(2)
  })

  test('a channel that no longer exists is disabled, and an address that does not exist is marked; people learn of both', async () => {
    const notices = async () =>
      (await shop.admin.page('GET', '/app/api/notifications')).json<{ items: { kind: string; message: string }[] }>().items
    const body = { kind: 'teams', name: 'Gone', secret: 'https://teams.example/gone' }
    const { id: channelId } = (await shop.admin.page('POST', '/app/api/channels', body)).json()
    await add({ content: { kind: 'summary' }, target: { kind: 'channel', channelId } })
    outcome = { kind: 'refused_for_good', detail: '410 Gone', isChannelBroken: true }
    expect(await run()).toMatchObject([{ recipient: 'Gone', state: 'failed', attempts: [{ outcome: 'refused_for_good', detail: '410 Gone' }] }])
    expect(await run()).toMatchObject([{ recipient: 'Gone', state: 'dropped', dropReason: 'channel_disabled' }])
    const { items } = (await shop.admin.page('GET', '/app/api/channels')).json<{ items: { id: string }[] }>()
    expect(items.find(({ id }) => id === channelId)).toMatchObject({ state: 'disabled', disabledReason: '410 Gone', failureCount: 1 })
    expect(await notices()).toContainEqual(expect.objectContaining({ kind: 'channel_disabled', message: expect.stringContaining('410 Gone') }))

    const email = 'unknown@example.com'
    const { id } = await add(toEmail(address(email)))
    await settled()
    const reports = (await shop.admin.page('GET', url)).json<{ items: { id: string; addresses: object[] }[] }>().items
    expect(reports.find((report) => report.id === id)!.addresses).toEqual([{ email, state: 'bounced' }])
    expect(await notices()).toContainEqual(expect.objectContaining({ kind: 'address_bounced', message: expect.stringContaining(email) }))
  })

  test('rejects reports that could not be sent', async () => {
    const send = (report: object) => shop.admin.page('POST', url, report)
    const board = { kind: 'board', boardShortId }
    const values = (entries: object[]) => ({ kind: 'list', entries })
    const everyone = { kind: 'everyone' }
    expectRefusal(await send(toEmail()), 'invalid_request', at('/target/recipients'))
    expectRefusal(await send(toEmail(address('nobody'))), 'invalid_request', at('/target/recipients/0/email'))
    expectRefusal(await send(toEmail({ kind: 'member', userId: 'user_nobody' })), 'invalid_request', at('/target/recipients/0/userId'))
    expectRefusal(await send({ ...toEmail(everyone), when: 'condition' }), 'invalid_request', at('/when'))
    expectRefusal(await send({ ...toEmail(everyone), attachments: ['pdf'] }), 'invalid_request', at('/attachments/0'))
    expectRefusal(await send({ ...toEmail(everyone), attachments: ['png'] }), 'invalid_request', at('/attachments/0'))
    expectRefusal(await send({ ...toEmail(everyone), values: values([{ recipient: everyone, values: {} }]) }), 'invalid_request', at('/values'))
    expectRefusal(await send({ ...toEmail(everyone), content: { kind: 'board', boardShortId: 'abcdefghjk' } }), 'board_not_found')
    const wrongValue = values([{ recipient: everyone, values: { most: '3' } }])
    expectRefusal(await send({ ...toEmail(everyone), content: board, values: wrongValue }), 'parameter_invalid')
    const target = { kind: 'channel', channelId: 'chn_nothing' }
    expectRefusal(await send({ content: board, target }), 'channel_not_found')
    expectRefusal(await shop.admin.page('PATCH', `${url}/rep_nothing`, { isEnabled: false }), 'report_not_found')
    expectRefusal(await shop.admin.page('POST', '/app/api/channels', { kind: 'slack_bot', name: 'Slack' }), 'invalid_request', at('/secret'))
    expect((await shop.admin.page('GET', url)).json()).toEqual({ items: [] })
  })
})
