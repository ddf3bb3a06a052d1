import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openAgentFetch } from '../../../testing/agent-fetch.ts'
import { forgetTables } from '../../../testing/agents/model-agent-world.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { type ModelServer, type Script, startModelServer } from '../../../testing/servers/model-server.ts'
import { mentionEvent, slackRequest, testSigningSecret as signingSecret } from '../../../testing/servers/slack-requests.ts'
import { type SlackServer, startSlackServer } from '../../../testing/servers/slack-server.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { declined } from '../../domain/slack-questions/replies.ts'
import { slackQuestionSweep } from '../../domain/slack-questions/sweep-slack-questions.ts'

describe.each(routeStoreKinds)('questions from Slack on %s', (kind) => {
  const agentFetch = openAgentFetch()
  let service: TestService
  let shop: TestOrganization
  let slack: SlackServer
  let model: ModelServer
  let channelId: string

  beforeAll(async () => {
    slack = await startSlackServer()
    model = await startModelServer()
    service = await startTestService(kind, { agentFetch: agentFetch.fetch, slackApiUrl: slack.apiUrl })
    shop = await service.addOrganization('shop')
    await shop.addPerson('member', 'ann@shop.test')
    await shop.admin.page('PUT', '/app/api/model-settings', { provider: 'openai_compatible', baseUrl: model.url, model: 'scripted-1' })
    channelId = await addChannel(shop)
    slack.people.set('UANN', { email: 'Ann@Shop.test' })
  })
  beforeEach(async () => {
    await service.services.db.deleteFrom('slack_questions').execute()
    await forgetTables(service.services.db)
    slack.messages.length = 0
    slack.calls.length = 0
    slack.answers.length = 0
    model.forget()
  })
  afterAll(async () => {
    await service.stop()
    await Promise.all([model.close(), slack.close(), agentFetch.close()])
  })

  async function addChannel({ admin }: TestOrganization): Promise<string> {
    const answer = await admin.page('POST', '/app/api/channels', { kind: 'slack_bot', name: 'Shop', secret: slack.token, settings: { signingSecret } })
    expect(answer.statusCode, answer.body).toBe(201)
    expect(answer.body).not.toContain(signingSecret)
    return answer.json().id
  }

  const send = (payload: object | string, options: Partial<Parameters<typeof slackRequest>[2]> & { to?: string } = {}) =>
    service.app.inject(slackRequest(options.to ?? channelId, payload, { now: service.clock.now(), ...options }))

  async function accepted(payload: object): Promise<void> {
    const answer = await send(payload)
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  }

  const rows = () => service.services.db.selectFrom('slack_questions').selectAll().orderBy('received_at').orderBy('id').execute()
  const chats = () => service.services.db.selectFrom('chats').select(['id', 'short_id', 'created_by']).execute()

  /** Lets time pass until every question has ended; returns their states. */
  async function ended(): Promise<{ state: string; reason: string | null }[]> {
    for (;;) {
      const questions = await rows()
      if (questions.every(({ state }) => state !== 'due' && state !== 'waiting')) return questions.map(({ state, reason }) => ({ state, reason }))
      await pollPause()
      await service.clock.advance(1_000)
    }
  }

  const sumsByParity = (): Script[] => {
    const sql = 'select n % 2 as parity, sum(n)::integer as total from numbers group by 1 order by 1'
    const jsxConfig = '<BarChart><XAxis dataKey="parity" /><Bar dataKey="total" /></BarChart>'
    return [
      { toolCalls: [{ name: 'run_sql', input: { databaseId: shop.databaseId, sql } }] },
      { toolCalls: [{ name: 'draw_chart', input: { runId: 'r1', title: 'Sums', visualization: { type: 'bar', jsxConfig } } }] },
      { text: '**{{r1: total where parity = 1}}** is the total of parity 1.\n\n<questions>\n- Which numbers are even?\n</questions>' },
    ]
  }

  test('a mention is answered in its thread with proven figures and the chart, and a later one continues the chat', async () => {
    model.script(...sumsByParity())
    const event = mentionEvent('What is the total of odd numbers?')
    await accepted(event)
    expect(await ended()).toEqual([{ state: 'answered', reason: null }])
    const [question] = await rows()
    const link = `https://querypost.test/chats/${question!.chat_short_id}`
    const [reply, chart] = slack.messages
    expect(reply).toMatchObject({
      conversation: 'C0000000',
      threadTs: question!.thread_ts,
      text: '25 is the total of parity 1.',
      blocks: [
        { text: { text: expect.stringMatching(/^\*<https:\/\/querypost\.test\/runs\/run_\w+\|25>\* is the total of parity 1\.$/) } },
        { elements: [{ text: 'You could ask next:\n• Which numbers are even?' }] },
        { elements: [{ url: link }] },
      ],
    })
    expect(chart).toMatchObject({ threadTs: question!.thread_ts, files: [{ title: 'Sums', fileName: 'chart.png' }] })
    expect(chart!.files[0]!.bytes.subarray(1, 4).toString()).toBe('PNG')
    expect(slack.messages).toHaveLength(2)
    expect(slack.calls.slice(0, 2)).toEqual(['users.info', 'chat.postMessage'])
    expect(slack.calls).toContain('chat.update')
    const before = await chats()
    const ann = (await service.services.db.selectFrom('users').select('id').where('email', '=', 'ann@shop.test').executeTakeFirstOrThrow()).id
    expect(before.find(({ id }) => id === question!.chat_id)).toMatchObject({ created_by: ann })
    expect(question!.question).toBe('')

    await service.clock.advance(1)
    model.script({ text: 'As I said.' })
    await accepted(mentionEvent('And why?', { thread_ts: question!.thread_ts }))
    expect((await ended()).map(({ state }) => state)).toEqual(['answered', 'answered'])
    const [, second] = await rows()
    expect(second).toMatchObject({ chat_id: question!.chat_id, thread_ts: question!.thread_ts })
    expect(await chats()).toHaveLength(before.length)
    const chat = (await shop.admin.page('GET', `/app/api/chats/${question!.chat_short_id}`)).json()
    const questions = chat.messages.filter(({ kind: each }: { kind: string }) => each === 'question')
    expect(questions.map(({ text }: { text: string }) => text)).toEqual(['What is the total of odd numbers?', 'And why?'])
  })

  test('a direct message is answered, and one in its thread needs no mention', async () => {
    model.script({ text: 'Hello.' }, { text: 'Hello again.' })
    const direct = { type: 'message', channel_type: 'im', channel: 'D0000001', text: 'Say hello to me' }
    await accepted(mentionEvent('', { ...direct, ts: '77.000100' }))
    await ended()
    await service.clock.advance(1)
    await accepted(mentionEvent('', { ...direct, ts: '78.000100', thread_ts: '77.000100', text: 'Once more' }))
    await ended()
    expect(slack.messages.map(({ conversation, threadTs, text }) => [conversation, threadTs, text])).toEqual([
      ['D0000001', '77.000100', 'Hello.'],
      ['D0000001', '77.000100', 'Hello again.'],
    ])
    const [first, second] = await rows()
    expect(second!.chat_id).toBe(first!.chat_id)
  })

  test('an event that Slack repeats is answered once', async () => {
    model.script({ text: 'Once.' }, { text: 'Twice.' })
    const event = mentionEvent('Are you there?')
    await accepted(event)
    const repeated = await send(event, { headers: { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' } })
    expect(repeated.statusCode).toBe(200)
    expect(await ended()).toHaveLength(1)
    await accepted(event)
    expect(await ended()).toHaveLength(1)
    expect(slack.messages.map(({ text }) => text)).toEqual(['Once.'])
  })

  test('the check of the URL gets its challenge', async () => {
    const answer = await send({ type: 'url_verification', token: 'legacy', challenge: 'abc' })
    expect(answer.json()).toEqual({ challenge: 'abc' })
  })

  test('the connection shows which kind of request was the last', async () => {
    await service.services.db.deleteFrom('slack_connections').execute()
    const connection = async () => (await shop.admin.page('GET', `/app/api/channels/${channelId}/slack-connection`)).json()
    const check = { type: 'url_verification', challenge: 'abc' }
    for (const [payload, options, newest] of [
      [check, {}, 'lastEventAt'],
      [check, { signingSecret: 'f'.repeat(32) }, 'lastRejectedAt'],
      [check, {}, 'lastEventAt'],
      [mentionEvent('Hi', {}, { team_id: 'T2' }), {}, 'lastForeignAt'],
    ] as const) {
      await service.clock.advance(1)
      await send(payload, options)
      const at = service.clock.now().toISOString()
      expect(await connection()).toMatchObject({ [newest]: at })
    }
  })

  test.each<[string, () => Parameters<typeof send>[1]]>([
    ['the secret of another app', () => ({ signingSecret: 'f'.repeat(32) })],
    ['no signature', () => ({ headers: { 'x-slack-signature': '' } })],
    ['a request of six minutes ago', () => ({ now: new Date(service.clock.now().getTime() - 360_000) })],
    ['an unknown channel', () => ({ to: 'chn_unknown' })],
    ['an id that is none', () => ({ to: '%00' })],
  ])('says nothing to a caller with %s', async (_, options) => {
    for (const payload of [mentionEvent('What is our revenue?'), { type: 'url_verification', challenge: 'abc' }, 'no JSON']) {
      const answer = await send(payload, options())
      expect([answer.statusCode, answer.body, answer.headers['content-type']]).toEqual([401, '', undefined])
    }
    expect(await rows()).toEqual([])
  })

  test('the secret of another organization’s bot is not accepted', async () => {
    const other = await service.addOrganization('other')
    const secret = 'a'.repeat(32)
    const theirs = await addChannel(other)
    await other.admin.page('PATCH', `/app/api/channels/${theirs}`, { settings: { signingSecret: secret } })
    expect((await send(mentionEvent('What is our revenue?'), { signingSecret: secret })).statusCode).toBe(401)
    expect((await send(mentionEvent('What is our revenue?'), { to: theirs })).statusCode).toBe(401)
    // Signed by their own app, but Ann is no member there.
    expect((await send(mentionEvent('What is our revenue?'), { to: theirs, signingSecret: secret })).statusCode).toBe(200)
    expect(await ended()).toEqual([{ state: 'declined', reason: declined.not_a_member }])
    expect((await shop.admin.page('GET', `/app/api/channels/${theirs}/slack-connection`)).statusCode).toBe(404)
  })

  test('a body that is too large or is not JSON is rejected', async () => {
    for (const signingSecretUsed of [signingSecret, 'f'.repeat(32)]) {
      const tooLarge = await send(mentionEvent('x'.repeat(600_000)), { signingSecret: signingSecretUsed })
      expect([tooLarge.statusCode, tooLarge.body]).toEqual([413, ''])
    }
    const answer = await send('no JSON')
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_request'])
    expect(await rows()).toEqual([])
  })

  test.each([
    ['of another workspace', mentionEvent('Hi', {}, { team_id: 'T2' })],
    ['of a bot', mentionEvent('Hi', { bot_id: 'B1' })],
    ['of the bot itself', mentionEvent('Hi', { user: 'UBOT' })],
    ['that is an edit', mentionEvent('Hi', { edited: { ts: '1.000100' } })],
  ])('ignores an event %s', async (_, event) => {
    await accepted(event)
    expect(await rows()).toEqual([])
  })

  test.each<[string, string, Parameters<typeof mentionEvent>[2]]>([
    ['someone who is no member', 'UBEN', {}],
    ['a deactivated account', 'UDEACTIVATED', {}],
    ['an account of another workspace with a member’s address', 'UFOREIGN', {}],
    ['an account with an unconfirmed address', 'UUNCONFIRMED', {}],
    ['a member, where people of another workspace read along', 'UANN', { is_ext_shared_channel: true }],
  ])('declines to answer %s, and says who may ask', async (_, user, envelope) => {
    slack.people.set('UBEN', { email: 'ben@elsewhere.test' })
    slack.people.set('UDEACTIVATED', { email: 'ann@shop.test', isDeactivated: true })
    slack.people.set('UFOREIGN', { email: 'ann@shop.test', teamId: 'T2' })
    slack.people.set('UUNCONFIRMED', { email: 'ann@shop.test', isConfirmed: false })
    const before = await chats()
    await accepted(mentionEvent('What is our revenue?', { user }, envelope))
    const [{ state, reason }] = (await ended()) as [{ state: string; reason: string }]
    expect(state).toBe('declined')
    expect(Object.values(declined)).toContain(reason)
    expect(slack.messages.map(({ text }) => text)).toEqual([reason])
    expect(await chats()).toEqual(before)
  })

  test('someone who left the organization is no longer answered', async () => {
    const carl = await shop.addPerson('member', 'carl@shop.test')
    slack.people.set('UCARL', { email: 'carl@shop.test' })
    model.script({ text: 'Yes.' })
    await accepted(mentionEvent('May I ask?', { user: 'UCARL' }))
    expect(await ended()).toMatchObject([{ state: 'answered' }])
    expect((await shop.admin.page('DELETE', `/app/api/members/${carl.caller.userId}`)).statusCode).toBe(204)
    await service.clock.advance(1)
    await accepted(mentionEvent('And now?', { user: 'UCARL' }))
    expect((await ended())[1]).toEqual({ state: 'declined', reason: declined.not_a_member })
  })

  test('a question while the chat is still answering gets a friendly reply', async () => {
    model.script('hang')
    const before = model.requests.length
    await accepted(mentionEvent('Think for a while', { ts: '500.000100' }))
    await model.seen(before + 1)
    await expect.poll(() => slack.messages.map(({ text }) => text)).toEqual(['Looking …'])
    await service.clock.advance(1)
    await accepted(mentionEvent('Are you done?', { ts: '501.000100', thread_ts: '500.000100' }))
    await expect.poll(async () => (await rows())[1]).toMatchObject({ state: 'declined', reason: declined.still_answering })
    await expect.poll(async () => (await rows())[0]!.state).toBe('waiting')
    const [first] = await rows()
    expect(slack.messages.map(({ text }) => text)).toEqual(['Looking …', declined.still_answering])
    expect((await shop.admin.page('POST', `/app/api/chats/${first!.chat_short_id}/stop`)).statusCode).toBe(200)
    expect((await ended()).map(({ state }) => state)).toEqual(['answered', 'declined'])
    expect(slack.messages[0]!.text).toBe('I couldn’t answer that. Stopped by admin.')
  })

  test('two questions that start the same thread at once share its chat', async () => {
    model.script({ text: 'One.' }, { text: 'Two.' })
    const before = (await chats()).length
    const inThread = { thread_ts: '600.000100' }
    await Promise.all([accepted(mentionEvent('First?', inThread)), accepted(mentionEvent('Second?', inThread))])
    await ended()
    expect((await chats()).length).toBe(before + 1)
    expect(new Set((await rows()).flatMap(({ chat_id: id }) => id ?? [])).size).toBe(1)
    expect(slack.messages).toHaveLength(2)
  })

  test('nothing is lost while Slack is away, and it is given the time that it asks for', async () => {
    model.script({ text: 'Here it is.' })
    slack.answers.push({ status: 503 }, { status: 429, headers: { 'retry-after': '90' } })
    const startedMs = service.clock.now().getTime()
    await accepted(mentionEvent('What now?', { user: 'UANN2' }))
    slack.people.set('UANN2', { email: 'ann@shop.test' })
    expect(await ended()).toEqual([{ state: 'answered', reason: null }])
    expect(service.clock.now().getTime() - startedMs).toBeGreaterThanOrEqual(95_000)
    expect(slack.messages.map(({ text }) => text)).toEqual(['Here it is.'])
  })

  test('a chart that cannot be uploaded does not cost the answer, and admins see what is missing', async () => {
    slack.scopes.delete('files:write')
    model.script(...sumsByParity())
    await accepted(mentionEvent('What is the total of odd numbers?'))
    const [{ state, reason }] = (await ended()) as [{ state: string; reason: string }]
    expect([state, reason]).toEqual(['answered', expect.stringMatching(/^The chart was not sent\. The bot lacks the permission files:write\./)])
    const connection = (await shop.admin.page('GET', `/app/api/channels/${channelId}/slack-connection`)).json()
    expect(connection).toMatchObject({ missingScopes: ['files:write'], refusal: null, hasSigningSecret: true, problem: { reason } })
    expect(connection.requestUrl).toBe(`https://querypost.test/slack/events/${channelId}`)
    expect(JSON.parse(connection.manifest).settings.event_subscriptions).toEqual({ request_url: connection.requestUrl, bot_events: ['app_mention', 'message.im'] })
    slack.scopes.add('files:write')
    expect(connection.lastEventAt).not.toBeNull()
  })

  test('a disabled channel answers nobody, and drops what it had accepted', async () => {
    slack.answers.push({ status: 503 })
    await accepted(mentionEvent('What now?', { user: 'UANN3' }))
    await expect.poll(async () => (await rows())[0]?.reason).toBe('The receiver answered 503.')
    await shop.admin.page('PATCH', `/app/api/channels/${channelId}`, { state: 'disabled' })
    await accepted(mentionEvent('And now?'))
    expect(await ended()).toEqual([{ state: 'dropped', reason: 'The channel was disabled.' }])
    await shop.admin.page('PATCH', `/app/api/channels/${channelId}`, { state: 'enabled' })
    expect(slack.messages).toEqual([])
  })

  test('a workspace cannot ask more than a burst of questions', async () => {
    const paused = await shop.admin.page('POST', '/app/api/channels', { kind: 'slack_bot', name: 'Busy', secret: slack.token, settings: { signingSecret } })
    const to = paused.json().id
    const statuses: number[] = []
    for (let count = 0; count < 61; count++) statuses.push((await send(mentionEvent('', { user: 'UBEN' }), { to })).statusCode)
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true)
    expect(statuses[60]).toBe(429)
    await shop.admin.page('DELETE', `/app/api/channels/${to}`)
    expect(await rows()).toEqual([])
  })

  test('the signing secret is kept when the token changes, and can be removed', async () => {
    const edit = (change: object) => shop.admin.page('PATCH', `/app/api/channels/${channelId}`, change)
    const works = async () => (await send({ type: 'url_verification', challenge: 'abc' })).statusCode
    expect((await edit({ secret: slack.token })).json().settings).toMatchObject({ answersMentions: 'yes' })
    expect(await works()).toBe(200)
    expect((await edit({ settings: { signingSecret: '' } })).json().settings).toMatchObject({ answersMentions: 'no' })
    expect(await works()).toBe(401)
    expect((await edit({ settings: { signingSecret } })).json().settings).toMatchObject({ answersMentions: 'yes' })
    const { items } = (await shop.admin.page('GET', '/app/api/audit-log?limit=3&action=channel.changed')).json()
    expect(JSON.stringify(items)).toContain('replaced')
    expect(JSON.stringify(items)).not.toContain(signingSecret)
  })

  test('questions are removed 90 days after they were received, unless they have not ended', async () => {
    const { db } = service.services
    await accepted(mentionEvent('', { user: 'UANN' }))
    await accepted(mentionEvent('', { user: 'UANN' }))
    await ended()
    const [kept] = await rows()
    const later = new Date(service.clock.now().getTime() + 365 * 24 * 3600_000)
    await db.updateTable('slack_questions').set({ state: 'waiting', next_attempt_at: later }).where('id', '=', kept!.id).execute()
    const sweepAfterDays = (days: number) => {
      const now = new Date(service.clock.now().getTime() + days * 24 * 3600_000)
      return slackQuestionSweep({ db, clock: { ...service.clock, now: () => now } }).removeBatch()
    }
    expect(await sweepAfterDays(89)).toEqual({ rows: 0, hasMore: false })
    expect(await sweepAfterDays(91)).toEqual({ rows: 1, hasMore: false })
    expect((await rows()).map(({ id }) => id)).toEqual([kept!.id])
  })

  test('only a Slack workspace has a connection', async () => {
    const webhook = await shop.admin.page('POST', '/app/api/channels', { kind: 'slack_webhook', name: 'Sales', secret: slack.webhookUrl })
    const answer = await shop.admin.page('GET', `/app/api/channels/${webhook.json().id}/slack-connection`)
    expect([answer.statusCode, answer.json().code]).toEqual([409, 'channel_not_slack'])
  })

  test('members do not see the connection', async () => {
    const member = await shop.addPerson('member', 'dora@shop.test')
    expect((await member.page('GET', `/app/api/channels/${channelId}/slack-connection`)).statusCode).toBe(403)
  })
})
