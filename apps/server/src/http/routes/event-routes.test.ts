import { verify } from '@querypost/webhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addListener } from '../../store/webhooks/event-listeners.ts'
import { type Heard, type Listening, listenToEvents } from '../../../testing/event-stream.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../testing/test-service.ts'
import { at, expectRefusal } from '../../../testing/http/requests.ts'
import { clearWebhooks, createEndpoint, endpointsUrl, publish } from '../../../testing/http/webhook-requests.ts'

const streamUrl = '/api/events/stream'
const samplesUrl = '/api/events/samples'

interface Streamed {
  id: string
  type: string
  createdAt: string
  isTest: boolean
  headers: Record<string, string>
  body: string
}

describe('the event stream', () => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  const streams: Listening[] = []

  beforeAll(async () => {
    service = await startTestService('postgres', { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'dev@shop.test')
  })
  beforeEach(() => clearWebhooks(service))
  afterEach(async () => {
    for (const stream of streams.splice(0)) stream.close()
    const { db } = service.services
    while ((await db.selectFrom('event_listeners').select('id').executeTakeFirst()) !== undefined) await pollPause()
  })
  afterAll(() => service.stop())

  async function listen(person: TestPerson, query = '', headers: Record<string, string> = {}) {
    const authorization = `Bearer ${person.apiKey}`
    const options = { url: streamUrl + query, headers: { authorization, ...headers } }
    const stream = await listenToEvents(service, { session: {} }, options)
    streams.push(stream)
    expect(stream.status).toBe(200)
    const ready = (await stream.next()) as { id: string; data: { secret: string; hasMissedEvents: boolean } }
    expect(ready).toMatchObject({ event: 'ready', id: expect.any(String), data: { hasMissedEvents: false } })
    return { stream, ready, secret: ready.data.secret }
  }
  async function tell(type?: 'automation.run.failed') {
    const published = await publish(service, shop, type)
    service.services.wakeups.wake('deliveries')
    return published.eventId
  }
  const eventIn = (heard: Heard | undefined) => {
    expect(heard).toMatchObject({ event: 'webhook', id: expect.any(String) })
    return (heard as { id: string; data: Streamed }).data
  }

  test('sends a member what an endpoint would get, signed with the stream’s secret', async () => {
    const endpoint = await createEndpoint(shop)
    const { stream, secret } = await listen(member)
    const id = await tell()
    const received = eventIn(await stream.next())
    const { body } = await service.services.db.selectFrom('webhook_events').select('body').executeTakeFirstOrThrow()
    expect(received).toMatchObject({ id, type: 'automation.run.completed', isTest: false, body })
    expect(received.createdAt).toBe(service.clock.now().toISOString())
    expect(received.headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Querypost-Webhooks/1' })
    const now = service.clock.now()
    expect(await verify({ body: received.body, headers: received.headers, secret, now })).toMatchObject({ id })
    expect(secret).toMatch(/^whsec_[A-Za-z\d+/]{43}=$/)
    expect([endpoint.secret, (await listen(shop.admin)).secret]).not.toContain(secret)
    expect((await listen(member)).secret).toBe(secret)
    const wrong = verify({ body: received.body, headers: received.headers, secret: endpoint.secret, now })
    await expect(wrong).rejects.toMatchObject({ code: 'signature_mismatch' })
  })

  test('continues after Last-Event-ID, with the requested types only', async () => {
    const { ready } = await listen(member)
    const first = await tell()
    const failed = await tell('automation.run.failed')
    const again = await listen(member, '', { 'last-event-id': ready.id })
    const heard = (await again.stream.next()) as { id: string }
    expect(eventIn(heard as Heard).id).toBe(first)
    const rest = await listen(member, '', { 'last-event-id': heard.id })
    expect(eventIn(await rest.stream.next()).id).toBe(failed)
    const both = 'automation.run.failed,automation.run.completed'
    for (const query of ['?type=automation.run.failed', `?type=${both}&type=automation.run.failed`]) {
      const { stream } = await listen(member, query, { 'last-event-id': heard.id })
      expect(eventIn(await stream.next()).id).toBe(failed)
    }
    const since = encodeURIComponent(service.clock.now().toISOString())
    expect(eventIn(await (await listen(member, `?since=${since}`)).stream.next()).id).toBe(first)
  })

  test('ends with the key, before any further event', async () => {
    const person = await shop.addPerson('member', 'leaving@shop.test')
    const { stream } = await listen(person)
    const { items } = (await person.page('GET', '/app/api/api-keys')).json()
    expect((await person.page('DELETE', `/app/api/api-keys/${items[0].id}`)).statusCode).toBeLessThan(300)
    await tell()
    expect(await stream.next()).toBeUndefined()
  })

  test('ends when the member is removed', async () => {
    const person = await shop.addPerson('member', 'removed@shop.test')
    const { stream } = await listen(person)
    expect((await shop.admin.page('DELETE', `/app/api/members/${person.caller.userId}`)).statusCode).toBeLessThan(300)
    await tell()
    expect(await stream.next()).toBeUndefined()
  })

  test('a sample goes to all listeners, and to no endpoint unless one is named', async () => {
    await createEndpoint(shop)
    const withoutListeners = await member.api('POST', samplesUrl, { type: 'automation.run.failed' })
    expect(withoutListeners.json()).toMatchObject({ listenerCount: 0 })
    const [mine, ofAdmin] = [await listen(member), await listen(shop.admin)]
    const answer = await member.api('POST', samplesUrl, { type: 'automation.run.completed' })
    expect(answer.statusCode).toBe(202)
    const sample = answer.json()
    expect(sample).toMatchObject({ type: 'automation.run.completed', listenerCount: 2, deliveryId: null })
    for (const { stream } of [mine, ofAdmin]) {
      const received = eventIn(await stream.next())
      expect(received).toMatchObject({ id: sample.id, isTest: true, createdAt: sample.createdAt })
      const summary = expect.stringContaining('test event') as string
      expect(JSON.parse(received.body)).toMatchObject({ id: sample.id, data: { summary } })
    }
    expect(await service.services.db.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
  })

  test('an admin can name an endpoint, whose log then shows a test', async () => {
    const [named, other] = [await createEndpoint(shop), await createEndpoint(shop)]
    const body = { type: 'automation.run.failed', endpointId: named.id }
    expectRefusal(await member.api('POST', samplesUrl, body), 'forbidden')
    const { deliveryId } = (await shop.admin.api('POST', samplesUrl, body)).json()
    const logOf = async (id: string) => (await shop.admin.page('GET', `${endpointsUrl}/${id}/deliveries`)).json().items
    expect(await logOf(named.id)).toMatchObject([{ id: deliveryId, isTest: true, eventType: 'automation.run.failed' }])
    expect(await logOf(other.id)).toEqual([])
    expectRefusal(await shop.admin.api('POST', samplesUrl, { ...body, endpointId: 'we_nothing' }), 'endpoint_not_found')
  })

  test('rejects invalid input, naming the field', async () => {
    expectRefusal(await member.api('GET', `${streamUrl}?type=run.ended`), 'invalid_request', at('type/0'))
    expectRefusal(await member.api('GET', `${streamUrl}?type=`), 'invalid_request', at('type/0'))
    expectRefusal(await member.api('GET', `${streamUrl}?since=yesterday`), 'invalid_request', at('since'))
    expectRefusal(await member.api('GET', `${streamUrl}?since=2020-01-01T00:00:00Z`), 'invalid_request', at('since'))
    expectRefusal(await member.api('GET', `${streamUrl}?from=now`), 'invalid_request', at('from'))
    expectRefusal(await member.api('POST', samplesUrl, {}), 'invalid_request', at('/type'))
    expectRefusal(await member.api('POST', samplesUrl, { type: 'run.ended' }), 'invalid_request', at('/type'))
    expectRefusal(await service.app.inject(streamUrl), 'unauthenticated')
  })

  test('limits the streams per API key', async () => {
    const { items } = (await member.page('GET', '/app/api/api-keys')).json()
    const { organizationId } = member.caller
    const now = service.clock.now()
    const until = new Date(now.getTime() + 60_000)
    for (let index = 0; index < 20; index += 1) {
      const listener = { id: `listener_${index}`, organizationId, keyId: items[0].id, eventTypes: [], until }
      await addListener(service.services.db, listener, { now, maxOfKey: 20 })
    }
    expectRefusal(await member.api('GET', streamUrl), 'too_many_requests', { message: /20 listeners/ })
    await listen(shop.admin)
    await service.services.db.deleteFrom('event_listeners').execute()
  })

  test('is not available while webhooks are switched off', async () => {
    await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: false })
    expectRefusal(await member.api('GET', streamUrl), 'forbidden', { message: /turned off/ })
    expectRefusal(await member.api('POST', samplesUrl, { type: 'automation.run.failed' }), 'forbidden')
    await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: true })
  })
})
