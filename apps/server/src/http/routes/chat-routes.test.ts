import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { MessageContent } from '../../model/chat.ts'
import { pruneChatHistory } from '../../store/chats/remove-chats.ts'
import { type Listening, listenToEvents } from '../../../testing/event-stream.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { at, expectRefusal, isTimestamp, unknownShortId } from '../../../testing/http/requests.ts'
import { beginOldest, clearChats, openChat, setUpModel } from '../../../testing/http/chat-requests.ts'

interface StreamedEvent {
  id: string
  event: string
  data: { number?: number; kind?: string; text?: string; status?: string }
}

describe.each(routeStoreKinds)('the chat routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false, queryApi: { state: 'retired', sunset: null } })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    await clearChats(service)
    await setUpModel(service, shop)
  })

  const create = async (question: unknown, more: object = {}) => {
    await service.clock.advance(1)
    return shop.admin.api('POST', '/api/chats', { question, ...more })
  }
  const ask = async (shortId: string, question: unknown) => {
    await service.clock.advance(1)
    return shop.admin.api('POST', `/api/chats/${shortId}/messages`, { question })
  }
  const get = async (shortId: string) => (await shop.admin.api('GET', `/api/chats/${shortId}`)).json()
  const answer = async (summary: string) => (await beginOldest(service)).end({ status: 'completed', answer: { summary } })
  const list = async (query = '') => (await shop.admin.api('GET', `/api/chats${query}`)).json()

  test('ask a question and read the answer, even when the query routes are retired', async () => {
    const asked = await create(' How many orders? ', { analyticalDatabaseConfigId: shop.databaseId })
    expect(asked.statusCode, asked.body).toBe(202)
    const chat = asked.json()
    const question = { number: 1, role: 'person', kind: 'question', text: 'How many orders?', follows: null, figures: [], createdAt: isTimestamp }
    expect(chat).toEqual({
      id: expect.stringMatching(/^chat_\w{22}$/),
      shortId: expect.stringMatching(/^\w{10}$/),
      permalink: `https://querypost.test/chats/${chat.shortId}`,
      title: 'How many orders?',
      status: 'answering',
      createdAt: isTimestamp,
      updatedAt: isTimestamp,
      messages: [question],
    })
    expect(await get(chat.shortId)).toEqual(chat)
    expectRefusal(await ask(chat.shortId, 'And today?'), 'chat_already_answering')
    await service.clock.advance(1000)
    await answer('**Ten.**')
    const answered = await get(chat.shortId)
    expect(answered).toEqual({
      ...chat,
      status: 'idle',
      updatedAt: service.clock.now().toISOString(),
      messages: [question, { number: 2, role: 'agent', kind: 'answer', text: '**Ten.**', figures: [], followUps: [], createdAt: isTimestamp }],
    })
    const followUp = (await ask(chat.shortId, 'And today?')).json()
    expect(followUp).toMatchObject({ status: 'answering', messages: [{}, {}, { number: 3, text: 'And today?', follows: 1 }] })
  })

  test('describe each step in one line', async () => {
    const { shortId } = await openChat(service, shop)
    const agent = await beginOldest(service)
    const run = { kind: 'query_run', runId: 'run_1', sql: 'select 1', parameterValues: {}, preview: null } as const
    const steps: MessageContent[] = [
      { kind: 'note', text: 'It is\nlate.' },
      { kind: 'text', text: '**I look.**' },
      { ...run, reference: { shortId: 'abcdefghjk', title: 'Sales' }, status: 'completed', rowCount: 12, failureReason: null },
      { ...run, runId: null, reference: null, status: 'failed', rowCount: null, failureReason: 'No such\ntable.' },
      { kind: 'tool_call', tool: 'find', connector: 'CRM', input: '{}', status: 'failed', output: 'no' },
      { kind: 'tool_call', tool: 'list_tables', connector: null, input: '{}', status: 'running', output: null },
      { kind: 'reference', shortId: 'abcdefghjk', title: 'Sales' },
    ]
    for (const step of steps) await agent.chat.add(step)
    await agent.end({ status: 'failed', reason: 'It broke.' })
    const { messages } = await get(shortId)
    const step = { role: 'agent', kind: 'step', figures: [] }
    expect(messages).toMatchObject([
      { role: 'person', kind: 'question', text: 'Look at revenue.', follows: null },
      { ...step, text: 'It is late.' },
      { ...step, text: 'I look.' },
      { ...step, text: 'Ran “Sales”: 12 rows', runId: 'run_1', sql: 'select 1', status: 'completed', rowCount: 12 },
      { ...step, text: 'Could not run a query: No such table.', runId: null, status: 'failed', rowCount: null },
      { ...step, text: 'Used find of CRM, which failed', status: 'failed' },
      { ...step, text: 'Used list_tables, which failed', status: 'failed' },
      { ...step, text: 'Saved the query “Sales”' },
      { role: 'agent', kind: 'failure', text: 'It broke.', figures: [] },
    ])
  })

  test('reject invalid questions', async () => {
    const { shortId } = (await create('How many?')).json()
    await answer('Ten.')
    for (const bad of ['', ' \n', 'x'.repeat(20_001), 7]) {
      expectRefusal(await create(bad), 'invalid_request', at('/question'))
      expectRefusal(await ask(shortId, bad), 'invalid_request', at('/question'))
    }
    expectRefusal(await create('Why?', { title: 'x' }), 'invalid_request', at('/title'))
    expectRefusal(await create('Why?', { analyticalDatabaseConfigId: 'db_none' }), 'database_not_found')
    expectRefusal(await ask(unknownShortId, 'Why?'), 'chat_not_found')
    expectRefusal(await shop.admin.api('GET', '/api/chats/nonsense'), 'chat_not_found')
    expectRefusal(await shop.admin.api('GET', `/api/chats/${unknownShortId}/events`), 'chat_not_found')
    await clearChats(service)
    expectRefusal(await create('Why?'), 'model_not_configured')
  })

  test('all pages of the list show the moment of the first', async () => {
    const titles = ['Zero', 'One', 'Two', 'Three', 'Four', 'Five']
    const shortIds: string[] = []
    for (const title of titles) shortIds.push((await create(title)).json().shortId)
    await answer('Nought.')
    const whole = (await list()).items
    expect(whole.map(({ title }: { title: string }) => title)).toEqual(titles.toReversed())
    expect(whole.map(({ status }: { status: string }) => status)).toEqual([...Array(5).fill('answering'), 'idle'])
    const { messages: _, ...listed } = await get(shortIds[0]!)
    expect(whole[5]).toEqual(listed)

    const first = await list('?limit=1')
    await create('Six')
    await answer('Ein.')
    const pathOf = (number: number) => `/app/api/chats/${shortIds[number]}`
    await ask(shortIds[0]!, 'Again?')
    await shop.admin.page('PATCH', pathOf(2), { title: 'Renamed' })
    await shop.admin.page('PATCH', pathOf(2), { title: 'Renamed again' })
    expect((await shop.admin.page('DELETE', pathOf(3))).statusCode).toBe(204)
    await shop.admin.page('PATCH', pathOf(4), { title: 'Renamed' })
    expect((await shop.admin.page('DELETE', pathOf(4))).statusCode).toBe(204)
    const seen = [...first.items]
    for (let cursor = first.nextCursor; cursor; ) {
      const page = await list(`?limit=2&cursor=${cursor}`)
      seen.push(...page.items)
      cursor = page.nextCursor
    }
    expect(seen).toEqual(whole)
    const now = (await list()).items
    expect(now.map(({ title, status }: { title: string; status: string }) => [title, status])).toEqual([
      ['Six', 'answering'],
      ['Five', 'answering'],
      ['Renamed again', 'answering'],
      ['One', 'idle'],
      ['Zero', 'answering'],
    ])
    expectRefusal(await shop.admin.api('GET', '/api/chats?cursor=nonsense'), 'cursor_invalid', at('cursor'))
    const ofOtherList = (await shop.admin.page('GET', '/app/api/chats?limit=1')).json().nextCursor
    expectRefusal(await shop.admin.api('GET', `/api/chats?cursor=${ofOtherList}`), 'cursor_invalid', at('cursor'))
  })

  test('former states and deleted chats are removed once no page can show them', async () => {
    const [kept, deleted] = [(await create('Kept')).json(), (await create('Deleted')).json()]
    await answer('Ten.')
    expect((await shop.admin.page('DELETE', `/app/api/chats/${deleted.shortId}`)).statusCode).toBe(204)
    const { db } = service.services
    const prune = (replacedBefore: Date) => pruneChatHistory(db, { replacedBefore, batchSize: 1 })
    const titles = async () => (await db.selectFrom('chats').select('title').execute()).map(({ title }) => title).toSorted()
    expect(await prune(service.clock.now())).toBe(0)
    // The row of a deleted chat holds no title any more.
    expect(await titles()).toEqual(['', 'Kept'])
    const later = new Date(service.clock.now().getTime() + 1)
    while ((await prune(later)) > 0);
    expect(await titles()).toEqual(['Kept'])
    expect(await db.selectFrom('chat_history').selectAll().execute()).toEqual([])
    expect((await list()).items).toMatchObject([{ shortId: kept.shortId, status: 'idle' }])
  })

  const listen = (shortId: string, after?: string) =>
    listenToEvents(service, { session: {} }, {
      url: `/api/chats/${shortId}/events`,
      headers: { authorization: `Bearer ${shop.admin.apiKey}`, ...(after !== undefined && { 'last-event-id': after }) },
    })
  /** All events until one reports this status. */
  async function eventsUntil(stream: Listening, status: string): Promise<StreamedEvent[]> {
    const received: StreamedEvent[] = []
    while (received.at(-1)?.data.status !== status) received.push((await stream.next()) as StreamedEvent)
    return received
  }
  const briefly = (events: StreamedEvent[]) =>
    events.map(({ event, data }) => (event === 'status' ? `status ${data.status}` : `message ${data.number} ${data.kind} ${data.text}`))

  test('follow a chat from its first message to its answer', async () => {
    const { shortId } = (await create('How many?')).json()
    const stream = await listen(shortId)
    expect(briefly(await eventsUntil(stream, 'answering'))).toEqual(['message 1 question How many?', 'status answering'])
    const agent = await beginOldest(service)
    const number = await agent.chat.add({ kind: 'text', text: 'Te' })
    expect(await stream.next()).toMatchObject({ event: 'message', data: { number, kind: 'step', text: 'Te' } })
    await agent.end({ status: 'completed', answer: { summary: 'Ten.', summaryMessageNumber: number } })
    expect(briefly(await eventsUntil(stream, 'idle'))).toEqual(['message 2 answer Ten.', 'status idle'])
    const message = (await get(shortId)).messages[1]
    stream.close()
    const whole = await listen(shortId)
    expect((await eventsUntil(whole, 'idle'))[1]!.data).toEqual(message)
    whole.close()
  })

  test('resume after any event without a gap or a duplicate', async () => {
    const { shortId } = (await create('How many?')).json()
    const agent = await beginOldest(service)
    // The end of the run closes both open steps with the same revision.
    for (const tool of ['one', 'two', 'three']) await agent.chat.add({ kind: 'tool_call', tool, connector: null, input: '', status: 'running', output: null })
    await agent.end({ status: 'failed', reason: 'It broke.' })
    const stream = await listen(shortId)
    const all = await eventsUntil(stream, 'idle')
    stream.close()
    expect(briefly(all)).toEqual([
      'message 1 question How many?',
      'message 2 step Used one, which failed',
      'message 3 step Used two, which failed',
      'message 4 step Used three, which failed',
      'message 5 failure It broke.',
      'status idle',
    ])
    for (const [index, { id }] of all.entries()) {
      const resumed = await listen(shortId, id)
      const rest = index < all.length - 1 ? await eventsUntil(resumed, 'idle') : []
      expect(rest, id).toEqual(all.slice(index + 1))
      resumed.close()
    }
    // After the last event, only what happens next is sent.
    const last = await listen(shortId, all.at(-1)!.id)
    await ask(shortId, 'Again?')
    expect(briefly(await eventsUntil(last, 'answering'))).toEqual(['message 6 question Again?', 'status answering'])
    await shop.admin.page('DELETE', `/app/api/chats/${shortId}`)
    expect(await last.next()).toBeUndefined()
  })
})
