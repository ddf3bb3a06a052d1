import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
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

  const get = async (shortId: string) => (await shop.admin.page('GET', `${url}/${shortId}`)).json()
  const ask = async (shortId: string, text: unknown) => {
    await service.clock.advance(1)
    return shop.admin.page('POST', `${url}/${shortId}/messages`, { text })
  }
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
    const chat = {
      shortId,
      title: 'Weekly revenue',
      url: `https://querypost.test/chats/${shortId}`,
      createdAt: now(),
      updatedAt: now(),
      revision: 1,
      automation: { id: automationId, name: 'Weekly revenue' },
      run,
      canAsk: false,
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
        { ...message, number: 2, revision: 4, kind: 'text', text: 'Hmm' },
        { ...message, number: 3, revision: 5, kind: 'summary', text: '**Well.**' },
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
    expect(seen[4]).toEqual({ ...(await get(oldest!.shortId)), messages: undefined, canAsk: undefined })
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
    })
    const answer = {
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
    expect(asked.json().run).toEqual(answer)
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
