import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Heard, type Listening, listenToEvents } from '../../../../testing/event-stream.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { expectRefusal, unknownShortId } from '../../../../testing/http/requests.ts'
import { beginOldest, clearChats, openChat } from '../../../../testing/http/chat-requests.ts'

interface News {
  revision: number
  run: { status: string }
  canAsk: boolean
  messages: { number: number; kind: string; text?: string }[]
}

describe.each(routeStoreKinds)('the stream of a chat on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearChats(service))

  const eventsOf = (shortId: string) => `/app/api/chats/${shortId}/events`
  const listen = (shortId: string, query = '', headers = {}) =>
    listenToEvents(service, shop.admin, { url: eventsOf(shortId) + query, headers })
  const newsIn = (heard: Heard | undefined) => {
    expect(heard).toMatchObject({ event: 'chat', id: String((heard as { data: News }).data.revision) })
    return (heard as { data: News }).data
  }
  /** All events until the chat has this revision. */
  async function newsUntil(stream: Listening, revision: number): Promise<News[]> {
    const received: News[] = []
    while (received.at(-1)?.revision !== revision) received.push(newsIn(await stream.next()))
    return received
  }

  test('sends the whole chat first, then each change', async () => {
    const { shortId } = await openChat(service, shop)
    const stream = await listen(shortId)
    expect(stream.status).toBe(200)
    expect(stream.headers['content-type']).toContain('text/event-stream')
    expect(newsIn(await stream.next())).toMatchObject({
      revision: 1,
      canAsk: false,
      run: { status: 'pending' },
      messages: [{ number: 1, kind: 'instruction' }],
    })
    const agent = await beginOldest(service)
    expect(newsIn(await stream.next())).toMatchObject({ revision: 2, run: { status: 'running' }, messages: [] })
    const number = await agent.chat.add({ kind: 'text', text: 'a' })
    expect((await newsUntil(stream, 3)).at(-1)!.messages).toMatchObject([{ number, text: 'a' }])
    await agent.chat.change(number, { kind: 'text', text: 'ab' })
    expect((await newsUntil(stream, 4)).at(-1)!.messages).toMatchObject([{ number, text: 'ab' }])
    await agent.end({ status: 'completed', answer: { summary: 'Well.' } })
    const last = (await newsUntil(stream, 5)).at(-1)!
    expect(last).toMatchObject({ run: { status: 'completed' }, messages: [{ number: 3, kind: 'summary', text: 'Well.' }] })
    const whole = (await shop.admin.page('GET', `/app/api/chats/${shortId}`)).json()
    expect(last).toEqual({ revision: 5, run: whole.run, canAsk: whole.canAsk, messages: whole.messages.slice(2) })
    stream.close()
  })

  test('resumes at the reader’s position; Last-Event-ID takes precedence over the URL', async () => {
    const { shortId } = await openChat(service, shop)
    const { chat } = await beginOldest(service)
    for (const text of ['a', 'b', 'c']) await chat.add({ kind: 'text', text })
    const textsAfter = async (query: string, headers = {}) => {
      const stream = await listen(shortId, query, headers)
      const { messages } = newsIn(await stream.next())
      stream.close()
      return messages.map(({ text }) => text)
    }
    expect(await textsAfter('?after=3')).toEqual(['b', 'c'])
    expect(await textsAfter('?after=3', { 'last-event-id': '4' })).toEqual(['c'])
    expect(await textsAfter('?after=4', { 'last-event-id': 'nonsense' })).toEqual(['c'])
    // A revision from before the store was restored from a backup: sends the whole chat.
    expect(await textsAfter('?after=400')).toHaveLength(4)
    expectRefusal(await shop.admin.page('GET', `${eventsOf(shortId)}?after=-1`), 'invalid_request', { details: expect.anything() })
  })

  test('a lost wake-up delays events by seconds', async () => {
    const { shortId } = await openChat(service, shop)
    const stream = await listen(shortId, '?after=1')
    await service.services.db.updateTable('chats').set({ revision: 2 }).execute()
    const hearing = stream.next()
    const received = await Promise.race([hearing, service.clock.advance(10_000).then(() => hearing)])
    expect(newsIn(received).revision).toBe(2)
    stream.close()
  })

  test('a slow reader gets the latest state with everything that changed in between', async () => {
    const { shortId } = await openChat(service, shop)
    const { chat } = await beginOldest(service)
    const stream = await listen(shortId)
    await newsUntil(stream, 2)
    const number = await chat.add({ kind: 'text', text: 'begun' })
    // More than the system buffers for a connection, sent in many pieces while nothing is read.
    const large = 'x'.repeat(1024 * 1024)
    for (let part = 0; part < 30; part++) await chat.change(number, { kind: 'text', text: `${part} ${large}` })
    const received = await newsUntil(stream, 33)
    expect(received.at(-1)!.messages.map(({ text }) => text?.slice(0, 3))).toEqual(['29 '])
    stream.close()
  })

  test('several viewers get the same events', async () => {
    const { shortId } = await openChat(service, shop)
    const other = await openChat(service, shop)
    const streams = await Promise.all([listen(shortId), listen(shortId), listen(other.shortId)])
    for (const stream of streams) expect(newsIn(await stream.next()).revision).toBe(1)
    const { chat } = await beginOldest(service)
    await chat.add({ kind: 'text', text: 'a' })
    for (const stream of streams.slice(0, 2)) expect((await newsUntil(stream, 3)).at(-1)!.messages).toMatchObject([{ text: 'a' }])
    await beginOldest(service)
    expect(newsIn(await streams[2].next())).toMatchObject({ revision: 2, run: { status: 'running' } })
    for (const stream of streams) stream.close()
  })

  test('returns 404 for an unknown chat', async () => {
    expectRefusal(await shop.admin.page('GET', eventsOf(unknownShortId)), 'chat_not_found')
  })

  // Must be last: it stops the service.
  test('ends with the session and with the service', async () => {
    const { shortId } = await openChat(service, shop)
    const bob = await shop.addPerson('member', 'bob@shop.test')
    const [ofBob, ofAdmin] = await Promise.all([
      listenToEvents(service, bob, { url: eventsOf(shortId) }),
      listen(shortId),
    ])
    await Promise.all([ofBob.next(), ofAdmin.next()])
    await bob.page('DELETE', '/app/api/session')
    await (await beginOldest(service)).chat.add({ kind: 'text', text: 'secret' })
    expect(await ofBob.next()).toBeUndefined()
    await newsUntil(ofAdmin, 3)
    await service.app.close()
    expect(await ofAdmin.next()).toBeUndefined()
  })
})
