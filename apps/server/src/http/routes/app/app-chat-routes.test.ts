import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { LeaseLost } from '../../../domain/agent-runs/lease-lost.ts'
import type { MessageContent } from '../../../model/chat.ts'
import { addMessage } from '../../../store/chats/add-message.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal, unknownShortId } from '../../../../testing/http/requests.ts'
import { beginOldest, clearChats, openChat, setUpModel } from '../../../../testing/http/chat-requests.ts'

const url = '/app/api/chats'

describe.each(routeStoreKinds)('chats on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearChats(service))

  const get = async (shortId: string, query = '') => (await shop.admin.page('GET', `${url}/${shortId}${query}`)).json()
  const start = async (text: unknown, more: object = {}) => {
    await service.clock.advance(1)
    return shop.admin.page('POST', url, { text, ...more })
  }
  const ask = async (shortId: string, text: unknown, more: object = {}) => {
    await service.clock.advance(1)
    return shop.admin.page('POST', `${url}/${shortId}/messages`, { text, ...more })
  }
  const answer = async (summary: string) => (await beginOldest(service)).end({ status: 'completed', answer: { summary } })
  const stop = (shortId: string) => shop.admin.page('POST', `${url}/${shortId}/stop`)
  const now = () => service.clock.now().toISOString()

  test('a chat from start to end', async () => {
    const { runId, shortId, automationId } = await openChat(service, shop)
    const run = {
      id: runId,
      automationId,
      automationName: 'Weekly revenue',
      agent: 'digest',
      status: 'pending',
      trigger: 'person',
      triggerId: shop.admin.caller.userId,
      requestedAt: now(),
      dueAt: null,
      missedCount: 0,
      isLate: false,
      startedAt: null,
      endedAt: null,
      summary: null,
      reason: null,
      isStopped: false,
      chatUrl: `https://querypost.test/chats/${shortId}`,
      chatShortId: shortId,
      usage: null,
    }
    const message = { agentRunId: runId, user: null, createdAt: now() }
    const written = { figures: [], followUps: [], feedback: null }
    const chat = {
      shortId,
      title: 'Weekly revenue',
      url: `https://querypost.test/chats/${shortId}`,
      createdAt: now(),
      updatedAt: now(),
      revision: 1,
      automation: { id: automationId, name: 'Weekly revenue' },
      startedBy: null,
      run,
      canAsk: false,
      canEdit: true,
      leaf: 1,
      branches: [],
      hasEarlier: false,
      messages: [{ ...message, number: 1, revision: 1, kind: 'instruction', text: 'Look at revenue.' }],
    }
    expect(await get(shortId)).toEqual(chat)

    const agent = await beginOldest(service)
    const number = await agent.chat.add({ kind: 'text', text: 'Hm' })
    await agent.chat.change(number, { kind: 'text', text: 'Hmm' })
    await agent.end({ status: 'completed', answer: { summary: '**Well.**' } })
    expect(await get(shortId)).toEqual({
      ...chat,
      revision: 5,
      run: { ...run, status: 'completed', startedAt: now(), endedAt: now(), summary: 'Well.' },
      messages: [
        ...chat.messages,
        { ...message, ...written, number: 2, revision: 4, kind: 'text', text: 'Hmm' },
        { ...message, ...written, number: 3, revision: 5, kind: 'summary', text: '**Well.**' },
      ],
    })
  })

  test('the list is paginated, newest first, with each chat’s latest run', async () => {
    const opened = []
    for (let count = 0; count < 5; count++) opened.push(await openChat(service, shop, `Chat ${count}`))
    const [oldest] = opened
    await (await beginOldest(service)).end({ status: 'failed', reason: 'It broke.' })
    const seen: { shortId: string; title: string; run: { status: string } }[] = []
    let cursor = ''
    do {
      const page = (await shop.admin.page('GET', `${url}?limit=2${cursor}`)).json()
      seen.push(...page.items)
      cursor = page.nextCursor ? `&cursor=${page.nextCursor}` : ''
    } while (cursor)
    expect(seen.map(({ title }) => title)).toEqual(['Chat 4', 'Chat 3', 'Chat 2', 'Chat 1', 'Chat 0'])
    expect(seen.map(({ run }) => run.status)).toEqual(['pending', 'pending', 'pending', 'pending', 'failed'])
    expect(await get(oldest!.shortId)).toMatchObject(seen[4]!)
    expectRefusal(await shop.admin.page('GET', `${url}?cursor=nonsense`), 'cursor_invalid', at('cursor'))
  })

  test('one person asks a follow-up question, and another stops the answer', async () => {
    await setUpModel(service, shop)
    const { shortId } = await openChat(service, shop)
    expectRefusal(await ask(shortId, 'And now?'), 'chat_already_answering', { message: /still working/ })
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Well.' } })
    expect(await get(shortId)).toMatchObject({ canAsk: true })

    const asked = await ask(shortId, '  Why?\nTell me. ')
    expect(asked.statusCode, asked.body).toBe(202)
    const { caller } = shop.admin
    expect(asked.json()).toEqual(await get(shortId))
    expect(asked.json().messages.at(-1)).toEqual({
      number: 3,
      agentRunId: null,
      user: { id: caller.userId, name: 'admin' },
      createdAt: now(),
      revision: asked.json().revision,
      kind: 'question',
      text: 'Why?\nTell me.',
      follows: 1,
    })
    const pending = {
      id: expect.stringMatching(/^arun_/),
      status: 'pending',
      agent: 'model',
      trigger: 'question',
      requestedAt: now(),
      startedAt: null,
      endedAt: null,
      reason: null,
      isStopped: false,
    }
    expect(asked.json()).toMatchObject({ canAsk: false, automation: { name: 'Weekly revenue' } })
    expect(asked.json().run).toEqual(pending)
    expectRefusal(await ask(shortId, 'And?'), 'chat_already_answering')
    // It is not an automation run.
    expectRefusal(await shop.admin.page('GET', `/app/api/automation-runs/${asked.json().run.id}`), 'automation_run_not_found')

    const bob = await shop.addPerson('member', 'bob@shop.test')
    const stopped = await bob.page('POST', `${url}/${shortId}/stop`)
    expect(stopped.json()).toMatchObject({ canAsk: true, run: { status: 'failed', reason: 'Stopped by bob before it started.' } })
    expectRefusal(await stop(shortId), 'run_already_ended')

    expect((await ask(shortId, 'Once more?')).statusCode).toBe(202)
    const agent = await beginOldest(service)
    expect((await stop(shortId)).json().run.status).toBe('running')
    await agent.end({ status: 'completed', answer: { summary: 'Because.' } })
    expect((await get(shortId)).messages.map(({ kind: is }: { kind: string }) => is)).toEqual([
      'instruction',
      'summary',
      'question',
      'failure',
      'question',
      'answer',
    ])
  })

  test('of several concurrent questions one is accepted', async () => {
    await setUpModel(service, shop)
    const { shortId } = await openChat(service, shop)
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Well.' } })
    const answers = await Promise.all(Array.from({ length: 8 }, (_, number) => ask(shortId, `Question ${number}`)))
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([202, ...Array(7).fill(409)])
    expect((await get(shortId)).messages).toHaveLength(3)
  })

  test('rejects invalid questions', async () => {
    const { shortId } = await openChat(service, shop)
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Well.' } })
    expect(await get(shortId)).toMatchObject({ canAsk: false })
    expectRefusal(await ask(shortId, 'Why?'), 'model_not_configured', { message: /admin/ })
    await setUpModel(service, shop)
    const bad = (text: unknown) => ask(shortId, text)
    expectRefusal(await bad(''), 'invalid_request', at('/text'))
    expectRefusal(await bad(' \n'), 'invalid_request', at('/text'))
    expectRefusal(await bad('x'.repeat(20_001)), 'invalid_request', at('/text'))
    expectRefusal(await bad(7), 'invalid_request', at('/text'))
    expectRefusal(await ask(unknownShortId, 'Why?'), 'chat_not_found')
    expectRefusal(await shop.admin.page('GET', `${url}/nonsense`), 'chat_not_found')
    expectRefusal(await stop(unknownShortId), 'chat_not_found')
    expect((await get(shortId)).messages).toHaveLength(2)
    expect((await ask(shortId, 'x'.repeat(20_000))).statusCode).toBe(202)
  })

  test('a person starts a chat with a question', async () => {
    expectRefusal(await start('How many orders?'), 'model_not_configured', { message: /admin/ })
    await setUpModel(service, shop)
    const { databaseId } = shop
    const started = await start(' How many\norders? ', { databaseId })
    expect(started.statusCode, started.body).toBe(202)
    const chat = started.json()
    const { userId } = shop.admin.caller
    expect(chat).toMatchObject({
      title: 'How many orders?',
      automation: null,
      startedBy: { id: userId, name: 'admin' },
      run: { status: 'pending', trigger: 'question' },
      canAsk: false,
      canEdit: true,
      leaf: 1,
      messages: [{ number: 1, kind: 'question', text: 'How many\norders?', follows: null, user: { id: userId } }],
    })
    expect(await get(chat.shortId)).toEqual(chat)
    const listed = (await shop.admin.page('GET', url)).json().items
    expect(listed).toMatchObject([{ shortId: chat.shortId, startedBy: { id: userId, name: 'admin' } }])
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Ten.' } })
    expect(await get(chat.shortId)).toMatchObject({ canAsk: true, messages: [{}, { kind: 'answer', text: 'Ten.', figures: [] }] })

    expectRefusal(await start(' '), 'invalid_request', at('/text'))
    expectRefusal(await start('x'.repeat(20_001)), 'invalid_request', at('/text'))
    expectRefusal(await start('Why?', { databaseId: 'db_of_nobody' }), 'database_not_found')
    expect((await shop.admin.page('GET', url)).json().items).toHaveLength(1)
  })

  test('says at once what a chat cannot do, and asks no agent if that is all', async () => {
    await setUpModel(service, shop)
    const cannot = expect.stringMatching(/^I cannot send e-mail from a chat\./)
    const partly = (await start('How many orders? Email it to Bob.')).json()
    expect(partly).toMatchObject({ canAsk: false, messages: [{ kind: 'question' }, { kind: 'note', text: cannot, agentRunId: null }] })
    const only = (await start('Email this to Bob.')).json()
    expect(only).toMatchObject({ run: null, canAsk: true, messages: [{ kind: 'question' }, { kind: 'answer', text: cannot, user: null }] })
    await ask(only.shortId, 'Then post it to Slack')
    expect(await get(only.shortId)).toMatchObject({ run: null, messages: [{}, {}, { follows: 1 }, { kind: 'answer' }] })
  })

  test('editing a question or asking it again starts a branch', async () => {
    await setUpModel(service, shop)
    const { shortId } = (await start('First?')).json()
    await answer('A1')
    await ask(shortId, 'Second?')
    await answer('A2')
    await ask(shortId, 'Second, edited?', { follows: 1 })
    await answer('A3')
    const textsOf = (chat: { messages: { text: string }[] }) => chat.messages.map(({ text }) => text)
    const newest = await get(shortId)
    expect(textsOf(newest)).toEqual(['First?', 'A1', 'Second, edited?', 'A3'])
    expect(newest).toMatchObject({ leaf: 5, branches: [{ follows: 1, questions: [3, 5] }], hasEarlier: false })
    const other = await get(shortId, '?leaf=3')
    expect(textsOf(other)).toEqual(['First?', 'A1', 'Second?', 'A2'])
    expect(other).toMatchObject({ leaf: 3, branches: [{ follows: 1, questions: [3, 5] }] })

    // Continues the older branch, and starts over.
    expect(textsOf((await ask(shortId, 'Third?', { follows: 3 })).json())).toEqual(['First?', 'A1', 'Second?', 'A2', 'Third?'])
    await answer('A4')
    expect(await get(shortId, '?leaf=3')).toMatchObject({ leaf: 7 })
    const restarted = (await ask(shortId, 'First, edited?', { follows: null })).json()
    expect(restarted).toMatchObject({ leaf: 9, branches: [{ follows: null, questions: [1, 9] }], messages: [{ follows: null }] })
    await answer('A5')

    expectRefusal(await ask(shortId, 'Why?', { follows: 2 }), 'invalid_request', at('/follows'))
    expectRefusal(await ask(shortId, 'Why?', { follows: 99 }), 'invalid_request', at('/follows'))
    expectRefusal(await shop.admin.page('GET', `${url}/${shortId}?leaf=2`), 'invalid_request', at('leaf'))
    const report = await openChat(service, shop)
    await answer('Well.')
    expectRefusal(await ask(report.shortId, 'Why?', { follows: null }), 'invalid_request', at('/follows'))
  })

  test('shows the newest exchanges, and the earlier ones on request', async () => {
    await setUpModel(service, shop)
    const { shortId } = (await start('Question 1')).json()
    await answer('Answer 1')
    const { db } = service.services
    const { id: chatId } = await db.selectFrom('chats').select('id').executeTakeFirstOrThrow()
    const add = (content: MessageContent) => addMessage(db, { chatId, agentRunId: null, userId: null, content, now: service.clock.now() })
    for (let count = 2; count <= 43; count++) {
      await add({ kind: 'question', text: `Question ${count}` })
      await add({ kind: 'answer', text: `Answer ${count}` })
    }
    const chat = await get(shortId)
    expect(chat.messages).toHaveLength(10)
    expect(chat).toMatchObject({ hasEarlier: true, messages: { 0: { text: 'Question 39' }, 9: { text: 'Answer 43' } } })
    const before = async (number: number) => (await shop.admin.page('GET', `${url}/${shortId}/messages?before=${number}`)).json()
    const earlier = await before(chat.messages[0].number)
    expect(earlier.messages).toHaveLength(40)
    expect(earlier).toMatchObject({ hasEarlier: true, messages: { 0: { text: 'Question 19' }, 39: { text: 'Answer 38' } } })
    const first = await before(earlier.messages[0].number)
    expect(first.messages).toHaveLength(36)
    expect(first).toMatchObject({ hasEarlier: false, messages: { 0: { text: 'Question 1', follows: null } } })
    expect(await before(first.messages[0].number)).toEqual({ messages: [], branches: [], hasEarlier: false })
    expectRefusal(await shop.admin.page('GET', `${url}/${shortId}/messages?before=2`), 'invalid_request', at('before'))
    expectRefusal(await shop.admin.page('GET', `${url}/${shortId}/messages`), 'invalid_request', at('before'))

    // The path of another question is found however far back it is, with the questions asked in the place of those it shows.
    await ask(shortId, 'Question 3, edited', { follows: 3 })
    expect(await get(shortId)).toMatchObject({
      hasEarlier: false,
      branches: [{ follows: 3, questions: [5, 87] }],
      messages: [{ text: 'Question 1' }, {}, { text: 'Question 2' }, {}, { text: 'Question 3, edited', follows: 3 }],
    })
    const long = await get(shortId, '?leaf=5')
    expect(long).toMatchObject({ leaf: 85, branches: [], messages: { 0: { text: 'Question 39' } } })
    const onLongPath = (number: number) => shop.admin.page('GET', `${url}/${shortId}/messages?before=${number}&leaf=5`)
    expect((await onLongPath(9)).json()).toMatchObject({ branches: [{ follows: 3, questions: [5, 87] }], messages: { length: 8 } })
    expectRefusal(await onLongPath(87), 'invalid_request', at('before'))
  })

  test('the person who started a chat and admins can rename it', async () => {
    await setUpModel(service, shop)
    const jane = await shop.addPerson('member', 'jane@shop.test')
    const joe = await shop.addPerson('member', 'joe@shop.test')
    const { shortId } = (await jane.page('POST', url, { text: 'How many orders?' })).json()
    const rename = (by: typeof jane, title: unknown) => by.page('PATCH', `${url}/${shortId}`, { title })
    expect((await rename(jane, ' Orders ')).json()).toMatchObject({ title: 'Orders', canEdit: true })
    expect((await rename(shop.admin, 'Orders of May')).json()).toMatchObject({ title: 'Orders of May', canEdit: true })
    expect((await joe.page('GET', `${url}/${shortId}`)).json()).toMatchObject({ title: 'Orders of May', canEdit: false })
    expectRefusal(await rename(joe, 'Mine'), 'forbidden', { message: /started this chat/ })
    expectRefusal(await rename(jane, ' '), 'invalid_request', at('/title'))
    expectRefusal(await rename(jane, 'a\nb'), 'invalid_request', at('/title'))
    expectRefusal(await shop.admin.page('PATCH', `${url}/${unknownShortId}`, { title: 'x' }), 'chat_not_found')
  })

  test('a deleted chat is gone, and a worker that still holds its run can write nothing', async () => {
    await setUpModel(service, shop)
    const jane = await shop.addPerson('member', 'jane2@shop.test')
    const joe = await shop.addPerson('member', 'joe2@shop.test')
    const { shortId } = (await jane.page('POST', url, { text: 'How many orders?' })).json()
    await answer('Ten.')
    await jane.page('PUT', `${url}/${shortId}/messages/2/feedback`, { isHelpful: true })
    await ask(shortId, 'And yesterday?')
    const agent = await beginOldest(service)
    await agent.chat.add({ kind: 'text', text: 'Hm' })
    const remove = (by: typeof jane) => by.page('DELETE', `${url}/${shortId}`)
    expectRefusal(await remove(joe), 'forbidden')
    expect((await remove(jane)).statusCode).toBe(204)
    await expect(agent.chat.add({ kind: 'text', text: 'late' })).rejects.toThrow(LeaseLost)
    await expect(agent.chat.change(5, { kind: 'text', text: 'late' })).rejects.toThrow(LeaseLost)
    expect(await agent.end({ status: 'completed', answer: { summary: 'Late.' } })).toBe(false)
    expectRefusal(await remove(jane), 'chat_not_found')
    expectRefusal(await ask(shortId, 'Why?'), 'chat_not_found')
    expectRefusal(await shop.admin.page('GET', `${url}/${shortId}`), 'chat_not_found')
    expect((await shop.admin.page('GET', url)).json().items).toEqual([])
    const { db } = service.services
    for (const table of ['chat_messages', 'agent_runs', 'chat_feedback'] as const) {
      expect(await db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
  })

  test('the chat of an automation can be deleted once the automation is', async () => {
    const { shortId, automationId } = await openChat(service, shop)
    await answer('Well.')
    const remove = () => shop.admin.page('DELETE', `${url}/${shortId}`)
    expectRefusal(await remove(), 'chat_of_automation', { message: /Delete the automation first/ })
    expect((await shop.admin.page('DELETE', `/app/api/automations/${automationId}`)).statusCode).toBe(204)
    expect((await remove()).statusCode).toBe(204)
    expectRefusal(await remove(), 'chat_not_found')
  })

  test('people give feedback on answers, and admins read it', async () => {
    await setUpModel(service, shop)
    const jane = await shop.addPerson('member', 'jane3@shop.test')
    const { shortId } = (await start('How many orders?')).json()
    await answer('**Ten** orders.')
    const feedbackOn = (number: number | string) => `${url}/${shortId}/messages/${number}/feedback`
    const give = (by: typeof jane, body: object, number: number | string = 2) => by.page('PUT', feedbackOn(number), body)
    expect((await give(jane, { isHelpful: true })).json()).toEqual({ isHelpful: true, remark: null })
    await service.clock.advance(1)
    expect((await give(jane, { isHelpful: false, remark: ' Too few. ' })).json()).toEqual({ isHelpful: false, remark: 'Too few.' })
    const ofAnswer = async (by: typeof jane) => (await by.page('GET', `${url}/${shortId}`)).json().messages[1].feedback
    expect(await ofAnswer(jane)).toEqual({ isHelpful: false, remark: 'Too few.' })
    expect(await ofAnswer(shop.admin)).toBeNull()

    const list = (by: typeof jane) => by.page('GET', '/app/api/chat-feedback')
    expect((await list(shop.admin)).json()).toEqual({
      items: [
        {
          chat: { shortId, title: 'How many orders?' },
          messageNumber: 2,
          question: 'How many orders?',
          answer: 'Ten orders.',
          person: { id: jane.caller.userId, name: 'jane3' },
          isHelpful: false,
          remark: 'Too few.',
          updatedAt: now(),
        },
      ],
    })
    expectRefusal(await list(jane), 'forbidden')
    expect((await jane.page('DELETE', feedbackOn(2))).statusCode).toBe(204)
    expect((await jane.page('DELETE', feedbackOn(2))).statusCode).toBe(204)
    expect(await ofAnswer(jane)).toBeNull()

    expectRefusal(await give(jane, { isHelpful: true }, 1), 'message_not_found', { message: /not an answer/ })
    expectRefusal(await give(jane, { isHelpful: true }, 99), 'message_not_found')
    expectRefusal(await give(jane, { isHelpful: true }, 'x'), 'message_not_found')
    expectRefusal(await give(jane, { remark: 'x' }), 'invalid_request', at('/isHelpful'))
    expectRefusal(await give(jane, { isHelpful: true, remark: 'x'.repeat(2_001) }), 'invalid_request', at('/remark'))
  })

  test('concurrent writes to a chat get distinct positions', async () => {
    const { shortId } = await openChat(service, shop)
    const { chat } = await beginOldest(service)
    const numbers = await Promise.all(Array.from({ length: 30 }, (_, number) => chat.add({ kind: 'text', text: `${number}` })))
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 30 }, (_, index) => index + 2))
    await Promise.all(numbers.map((number) => chat.change(number, { kind: 'text', text: 'changed' })))
    const { messages, revision } = await get(shortId)
    const revisions = messages.slice(1).map((message: { revision: number }) => message.revision)
    expect(new Set(revisions).size).toBe(30)
    expect(Math.max(...revisions)).toBe(revision)
    await expect(chat.change(1000, { kind: 'text', text: 'no' })).rejects.toThrow(/has not written message 1000/)
  })

  test('deleting an automation keeps its chat', async () => {
    const { shortId, automationId } = await openChat(service, shop)
    await service.services.db
      .updateTable('automations')
      .set({ deleted_at: service.clock.now() })
      .where('id', '=', automationId)
      .execute()
    expect(await get(shortId)).toMatchObject({ title: 'Weekly revenue', automation: null, run: { automationName: 'Weekly revenue' } })
  })
})
