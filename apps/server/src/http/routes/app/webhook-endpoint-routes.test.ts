import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { endpointsMax } from '../../../domain/webhooks/endpoints/endpoints.ts'
import type { EndpointSeries } from '../../../model/endpoint-series.ts'
import { NameError } from '../../../ports/network/network.ts'
import type { Wakeups } from '../../../store/wakeups.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import {
  attemptOf,
  clearWebhooks,
  createEndpoint,
  unknownEndpointId,
  endpointsUrl,
  getEndpoint,
  publish,
  settle,
  statesOf,
} from '../../../../testing/http/webhook-requests.ts'

const bothTypes = ['automation.run.completed', 'automation.run.failed']
type SettleArguments = Parameters<typeof settle> extends [unknown, unknown, ...infer Rest] ? Rest : never
const noHealth = {
  delivered: 0,
  exhausted: 0,
  pending: 0,
  retrying: 0,
  held: 0,
  durationP95Ms: null,
  lastFailure: null,
}

const hourMs = 3600_000

describe.each(routeStoreKinds)('webhook endpoints on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(() => service.stop())
  beforeEach(() => clearWebhooks(service))

  const list = async () => (await shop.admin.page('GET', endpointsUrl)).json().items
  const patch = (id: string, body: object) => shop.admin.page('PATCH', `${endpointsUrl}/${id}`, body)
  const post = (body: object) =>
    shop.admin.page('POST', endpointsUrl, { url: 'https://hooks.example/', eventTypes: bothTypes, ...body })

  describe('creating one', () => {
    test('returns 201 with the endpoint and its secret; the list has no secret', async () => {
      const answer = await post({ url: 'https://HOOKS.example:443/a b', description: ' Orders ', eventTypes: bothTypes.toReversed() })
      expect(answer.statusCode).toBe(201)
      expect(answer.headers['cache-control']).toBe('no-store')
      const created = answer.json()
      expect(created).toEqual({
        id: expect.stringMatching(/^we_\w{22}$/),
        url: 'https://hooks.example/a%20b',
        description: 'Orders',
        eventTypes: bothTypes,
        isOrdered: false,
        state: 'enabled',
        consecutiveFailures: 0,
        disabledAt: null,
        disabledReason: null,
        createdBy: shop.admin.caller.userId,
        createdAt: service.clock.now().toISOString(),
        updatedAt: service.clock.now().toISOString(),
        health: noHealth,
        heldCount: 0,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const { secret: _, ...shown } = created
      expect(await list()).toEqual([{ ...shown, series: { parts: expect.any(Array), countedFrom: null } }])
      expect(await getEndpoint(shop.admin, created.id)).toEqual(shown)
    })

    test('a description may be omitted, null or empty', async () => {
      for (const body of [{}, { description: null }, { description: ' ' }]) {
        expect((await post(body)).json().description).toBeNull()
      }
    })

    test('the list is ordered by creation', async () => {
      const first = await createEndpoint(shop)
      await service.clock.advance(1000)
      const second = await createEndpoint(shop)
      expect((await list()).map(({ id }: { id: string }) => id)).toEqual([first.id, second.id])
    })

    test.each([
      ['http://hooks.example/', /https/],
      ['https://localhost/', /local/],
      ['https://127.0.0.1/', /./],
      ['https://2130706433/', /./],
      ['https://169.254.169.254/latest/meta-data', /./],
      ['https://[::1]/', /./],
      ['https://user:pass@hooks.example/', /user name/],
      ['https://hooks.example/#part', /fragment/],
      ['https://querypost.test/hook', /own address/],
      ['nonsense', /not a URL/],
      ['https://unknown.test/', /does not exist/],
    ])('rejects the URL %s with the reason of the address policy', async (url, words) => {
      expectRefusal(await post({ url }), 'invalid_request', {
        message: words,
        ...at('/url', expect.stringMatching(words)),
      })
      expect(await list()).toEqual([])
    })

    test('rejects a name that resolves to a private address, even together with a public one', async () => {
      service.network.name('inside.example', ['93.184.216.34', '10.0.0.1'])
      expectRefusal(await post({ url: 'https://inside.example/' }), 'invalid_request', at('/url'))
    })

    test.each([
      [{ url: 12 }, '/url'],
      [{ url: undefined }, '/url'],
      [{ description: 'x'.repeat(501) }, '/description'],
      [{ eventTypes: undefined }, '/eventTypes'],
      [{ eventTypes: [] }, '/eventTypes'],
      [{ eventTypes: ['automation.run.completed', 'automation.run.completed'] }, '/eventTypes'],
      [{ eventTypes: ['run.completed'] }, '/eventTypes/0'],
      [{ secret: 'whsec_mine' }, '/secret'],
      [{ state: 'disabled' }, '/state'],
    ])('rejects the body %o', async (body, place) => {
      expectRefusal(await post(body), 'invalid_request', at(place))
    })

    test(`an organization has at most ${endpointsMax}, even with concurrent requests; deleting one makes room`, async () => {
      const { caller } = shop.admin
      const { db } = service.services
      const row = await db
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('id', '=', (await createEndpoint(shop)).id)
        .executeTakeFirstOrThrow()
      const more = Array.from({ length: endpointsMax - 2 }, (_, index) => ({ ...row, id: `we_${caller.userId}_${index}` }))
      await db.insertInto('webhook_endpoints').values(more).execute()
      const answers = await Promise.all([post({}), post({})])
      expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([201, 400])
      expectRefusal(await post({}), 'invalid_request', { message: /100 webhook endpoints.*Delete one/ })
      expect((await shop.admin.page('DELETE', `${endpointsUrl}/${row.id}`)).statusCode).toBe(204)
      expect((await post({})).statusCode).toBe(201)
    })
  })

  describe('editing one', () => {
    test('changes only the given fields', async () => {
      const { secret: _, ...created } = await createEndpoint(shop, { description: 'Orders' })
      await service.clock.advance(1000)
      const updatedAt = service.clock.now().toISOString()
      const described = { ...created, description: 'Customers', updatedAt }
      expect((await patch(created.id, { description: 'Customers' })).json()).toEqual(described)
      const moved = { ...described, description: null, url: 'https://other.example/hook', eventTypes: [bothTypes[1]] }
      const { url, eventTypes } = moved
      expect((await patch(created.id, { url, description: null, eventTypes })).json()).toEqual(moved)
      expect(await getEndpoint(shop.admin, created.id)).toEqual(moved)
    })

    test('a new event type applies from the next event on', async () => {
      const { id } = await createEndpoint(shop, { eventTypes: ['automation.run.completed'] })
      expect((await publish(service, shop, 'automation.run.failed')).deliveryIds).toEqual([])
      await patch(id, { eventTypes: ['automation.run.failed'] })
      expect((await publish(service, shop, 'automation.run.failed')).deliveryIds).toHaveLength(1)
    })

    test('checks the URL only if it is given', async () => {
      const { id } = await createEndpoint(shop)
      const asked = service.network.resolved.length
      expect((await patch(id, { description: 'Same place' })).statusCode).toBe(200)
      expect(service.network.resolved).toHaveLength(asked)
      expectRefusal(await patch(id, { url: 'https://10.0.0.1/' }), 'invalid_request', at('/url'))
      expect((await getEndpoint(shop.admin, id)).url).toBe('https://hooks.example/querypost')
    })

    test.each([
      [{ url: null }, '/url'],
      [{ description: 'x'.repeat(501) }, '/description'],
      [{ eventTypes: [] }, '/eventTypes'],
      [{ eventTypes: ['nonsense'] }, '/eventTypes/0'],
      [{ consecutiveFailures: 0 }, '/consecutiveFailures'],
    ])('rejects the body %o', async (body, place) => {
      const { id } = await createEndpoint(shop)
      expectRefusal(await patch(id, body), 'invalid_request', at(place))
    })
  })

  test('a deleted endpoint is gone for every route and gets no more events', async () => {
    const { id } = await createEndpoint(shop)
    const { deliveryIds } = await publish(service, shop)
    const deleted = await shop.admin.page('DELETE', `${endpointsUrl}/${id}`)
    expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
    expect(await list()).toEqual([])
    expect((await publish(service, shop)).deliveryIds).toEqual([])
    expectRefusal(await shop.admin.page('GET', `/app/api/deliveries/${deliveryIds[0]}`), 'delivery_not_found')
    expectRefusal(await shop.admin.page('POST', `/app/api/deliveries/${deliveryIds[0]}/resend`), 'delivery_not_found')
    for (const gone of [id, unknownEndpointId, 'nonsense%00', 'x'.repeat(5000)]) {
      for (const [method, rest, body] of onOne) {
        expectRefusal(await shop.admin.page(method, `${endpointsUrl}/${gone}${rest}`, body), 'endpoint_not_found')
      }
    }
  })

  test('members can do none of this', async () => {
    const { id } = await createEndpoint(shop)
    const { deliveryIds } = await publish(service, shop)
    const before = await getEndpoint(shop.admin, id)
    expectRefusal(await member.page('GET', endpointsUrl), 'forbidden', { message: /admin/ })
    expectRefusal(await member.page('POST', endpointsUrl, { url: 'https://hooks.example/', eventTypes: bothTypes }), 'forbidden')
    for (const [method, rest, body] of onOne) {
      expectRefusal(await member.page(method, `${endpointsUrl}/${id}${rest}`, body), 'forbidden', { message: /admin/ })
    }
    expectRefusal(await member.page('GET', `/app/api/deliveries/${deliveryIds[0]}`), 'forbidden')
    expectRefusal(await member.page('POST', `/app/api/deliveries/${deliveryIds[0]}/resend`), 'forbidden')
    expect(await getEndpoint(shop.admin, id)).toEqual(before)
  })

  test('with webhooks switched off admins can do none of this either; the error says where to switch them on', async () => {
    const { id } = await createEndpoint(shop)
    const { deliveryIds } = await publish(service, shop)
    await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: false })
    const off = { message: /Webhooks are turned off.*settings/ }
    expectRefusal(await shop.admin.page('GET', endpointsUrl), 'forbidden', off)
    expectRefusal(await post({}), 'forbidden', off)
    for (const [method, rest, body] of onOne) {
      expectRefusal(await shop.admin.page(method, `${endpointsUrl}/${id}${rest}`, body), 'forbidden', off)
    }
    expectRefusal(await shop.admin.page('GET', `/app/api/deliveries/${deliveryIds[0]}`), 'forbidden', off)
    expectRefusal(await shop.admin.page('POST', `/app/api/deliveries/${deliveryIds[0]}/resend`), 'forbidden', off)
    await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: true })
    expect((await getEndpoint(shop.admin, id)).state).toBe('enabled')
  })

  test('health covers the last 100 deliveries, without tests', async () => {
    const { id } = await createEndpoint(shop)
    const settleNext = async (...how: SettleArguments) => {
      await service.clock.advance(1)
      await settle(service, (await publish(service, shop)).deliveryIds[0]!, ...how)
    }
    // Five that are not among the last 100.
    for (let count = 0; count < 5; count += 1) await settleNext('exhausted', [attemptOf({ durationMs: 9000 })])
    for (let count = 1; count <= 97; count += 1) await settleNext('delivered', [attemptOf({ durationMs: count })])
    const message = 'The endpoint responded with 500.'
    const failure = { kind: 'status_not_2xx', message } as const
    await settleNext('exhausted', [attemptOf({ durationMs: 400, status: 500, at: '2026-01-05T10:00:00.000Z', failure })])
    await settleNext('held')
    await service.clock.advance(1)
    await publish(service, shop)
    // 98 durations: the 94th is the 95th percentile.
    expect(await getEndpoint(shop.admin, id)).toMatchObject({
      health: { delivered: 97, exhausted: 1, held: 1, pending: 1, retrying: 0, durationP95Ms: 94 },
      heldCount: 1,
    })
    expect((await getEndpoint(shop.admin, id)).health.lastFailure).toEqual({
      deliveryId: expect.stringMatching(/^dlv_/),
      at: '2026-01-05T10:00:00.000Z',
      message,
    })

    const small = await createEndpoint(shop, { eventTypes: ['automation.run.failed'] })
    for (const durationMs of [10, 20, 30]) {
      const { deliveryIds } = await publish(service, shop, 'automation.run.failed')
      const ofSmall = Object.keys(await statesOf(service, small.id)).find((each) => deliveryIds.includes(each))!
      const first = attemptOf({ durationMs: 9000, status: 500, failure: { kind: 'status_not_2xx', message: 'It answered 500.' } })
      await settle(service, ofSmall, 'delivered', [first, attemptOf({ number: 2, durationMs })])
    }
    expect((await shop.admin.page('POST', `${endpointsUrl}/${small.id}/test`)).statusCode).toBe(202)
    const lastFailure = { at: '2026-01-05T09:00:00.000Z', message: 'It answered 500.' }
    const expected = { health: { ...noHealth, delivered: 3, durationP95Ms: 30, lastFailure }, heldCount: 0 }
    expect(await getEndpoint(shop.admin, small.id)).toMatchObject(expected)
    expect((await list()).find((each: { id: string }) => each.id === small.id)).toMatchObject(expected)
  })

  describe('a series', () => {
    const seriesOf = async (id: string, query = ''): Promise<EndpointSeries> =>
      (await shop.admin.page('GET', `${endpointsUrl}/${id}/series${query}`)).json()
    const inParts = ({ parts }: EndpointSeries) =>
      parts.map(({ at: _, ...counts }) => counts).filter((counts) => Object.values(counts).some((count) => count > 0))

    test('counts the deliveries of each hour by current state, without tests and untried ones', async () => {
      const { id } = await createEndpoint(shop)
      const settleNext = async (...how: SettleArguments) =>
        settle(service, (await publish(service, shop)).deliveryIds[0]!, ...how)
      const retried = async () => {
        const { deliveryIds } = await publish(service, shop)
        await service.services.db
          .updateTable('webhook_deliveries')
          .set({ attempt_count: 2 })
          .where('id', '=', deliveryIds[0]!)
          .execute()
      }
      await settleNext('exhausted')
      await service.clock.advance(24 * hourMs)
      await settleNext('delivered')
      await settleNext('held')
      await service.clock.advance(hourMs)
      await retried()
      await settleNext('delivered')
      await settleNext('exhausted')
      await publish(service, shop)
      await shop.admin.page('POST', `${endpointsUrl}/${id}/test`)

      const day = await seriesOf(id)
      const now = service.clock.now().getTime()
      expect(day.parts).toHaveLength(24)
      expect(day.countedFrom).toBeNull()
      expect(new Date(day.parts[23]!.at).getTime()).toBe(Math.floor(now / hourMs) * hourMs)
      expect(day.parts.slice(22)).toMatchObject([
        { delivered: 1, retrying: 0, exhausted: 0, held: 1 },
        { delivered: 1, retrying: 1, exhausted: 1, held: 0 },
      ])
      expect(inParts(day)).toHaveLength(2)
      expect((await list())[0].series).toEqual(day)

      const week = await seriesOf(id, '?period=week')
      expect(week.parts).toHaveLength(28)
      expect(new Date(week.parts[1]!.at).getTime() - new Date(week.parts[0]!.at).getTime()).toBe(6 * hourMs)
      expect(inParts(week).reduce((sum, { exhausted }) => sum + exhausted, 0)).toBe(2)
    })

    test('rejects an unknown period', async () => {
      const { id } = await createEndpoint(shop)
      expectRefusal(await shop.admin.page('GET', `${endpointsUrl}/${id}/series?period=year`), 'invalid_request', at('period'))
    })
  })

  describe('a URL check', () => {
    const check = (url: unknown, person = shop.admin) => person.page('POST', `${endpointsUrl}/check`, { url })
    // Each test starts with a fresh limit.
    beforeEach(() => service.clock.advance(60_000))

    test('returns the same verdict as saving, without sending or storing anything', async () => {
      expect((await check('https://HOOKS.example:443/a b')).json()).toEqual({
        isAllowed: true,
        url: 'https://hooks.example/a%20b',
        addresses: ['93.184.216.34'],
      })
      for (const url of ['http://hooks.example/', 'https://localhost/', 'https://169.254.169.254/', 'nonsense', '']) {
        const refused = (await check(url)).json()
        expect(refused, url).toEqual({ isAllowed: false, mayChange: false, reason: expect.any(String) })
        expectRefusal(await post({ url }), 'invalid_request', at('/url', refused.reason))
      }
      expect(service.network.requests).toEqual([])
      expect(await list()).toEqual([])
    })

    test('a rejection names the rule, not the resolved addresses', async () => {
      service.network.name('inside.example', ['10.1.2.3'])
      const { reason } = (await check('https://inside.example/')).json()
      expect(reason).toMatch(/not publicly routable.*10\.0\.0\.0\/8/)
      expect(reason).not.toContain('10.1.2.3')
      service.network.name('silent.example', new NameError('no answer', false))
      expect((await check('https://silent.example/')).json()).toMatchObject({ isAllowed: false, mayChange: true })
    })

    test('is for admins of organizations with webhooks, and requires a URL', async () => {
      const asked = service.network.resolved.length
      expectRefusal(await check('https://hooks.example/', member), 'forbidden', { message: /admin/ })
      await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: false })
      expectRefusal(await check('https://hooks.example/'), 'forbidden', { message: /turned off/ })
      await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: true })
      expectRefusal(await check(12), 'invalid_request', at('/url'))
      expectRefusal(await check(undefined), 'invalid_request', at('/url'))
      expect(service.network.resolved).toHaveLength(asked)
    })

    test('is throttled per person', async () => {
      const second = await shop.addPerson('admin', `second@shop${kind}.test`)
      for (let count = 0; count < 40; count += 1) expect((await check('https://10.0.0.1/')).statusCode).toBe(200)
      const refused = await check('https://10.0.0.1/')
      expectRefusal(refused, 'too_many_requests', { message: /Wait a second/ })
      expect(refused.headers['retry-after']).toBe('1')
      expect((await check('https://10.0.0.1/', second)).statusCode).toBe(200)
      await service.clock.advance(1000)
      expect((await check('https://10.0.0.1/')).statusCode).toBe(200)
      expectRefusal(await check('https://10.0.0.1/'), 'too_many_requests')
    })
  })

  describe('a test', () => {
    const sendTest = (id: string, body?: object) => shop.admin.page('POST', `${endpointsUrl}/${id}/test`, body)
    let wake: MockInstance<Wakeups['wake']>
    beforeEach(() => void (wake = vi.spyOn(service.services.wakeups, 'wake')))
    afterEach(() => wake.mockRestore())

    test('is a delivery of a sample event, due at once', async () => {
      const { id } = await createEndpoint(shop)
      const answer = await sendTest(id)
      expect(answer.statusCode).toBe(202)
      const sent = answer.json()
      expect(sent).toEqual({
        id: expect.stringMatching(/^dlv_\w{22}$/),
        eventId: expect.stringMatching(/^evt_\w{22}$/),
        eventType: 'automation.run.completed',
        endpointId: id,
        state: 'pending',
        isTest: true,
        requestedBy: null,
        requestedByName: null,
        createdAt: service.clock.now().toISOString(),
        nextAttemptAt: service.clock.now().toISOString(),
        endedAt: null,
        heldAt: null,
        attemptCount: 0,
        isBeingSent: false,
        isWaiting: false,
        attempts: [],
        request: {
          url: 'https://hooks.example/querypost',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Querypost-Webhooks/1',
            'accept-encoding': 'identity',
            'svc-webhook-id': sent.eventId,
            'webhook-id': sent.eventId,
          },
          body: expect.any(String),
        },
      })
      expect(JSON.parse(sent.request.body)).toEqual({
        id: sent.eventId,
        type: 'automation.run.completed',
        createdAt: sent.createdAt,
        data: {
          automationId: 'automation_sample',
          automationName: 'Sample automation',
          runId: 'arun_sample',
          chatUrl: 'https://querypost.test/chats/sample',
          summary: expect.stringContaining('This is a test event.'),
          imageUrl: null,
        },
      })
      expect(wake.mock.calls).toEqual([['deliveries']])
    })

    test('uses the requested type, subscribed or not, or else one of the endpoint’s types', async () => {
      const { id } = await createEndpoint(shop, { eventTypes: ['automation.run.failed'] })
      expect((await sendTest(id, {})).json().eventType).toBe('automation.run.failed')
      expect((await sendTest(id, { eventType: 'automation.run.completed' })).json().eventType).toBe('automation.run.completed')
      const { data } = JSON.parse((await sendTest(id)).json().request.body)
      expect(data.reason).toContain('This is a test event.')
      expectRefusal(await sendTest(id, { eventType: 'nonsense' }), 'invalid_request', at('/eventType'))
      expectRefusal(await sendTest(id, { type: 'automation.run.failed' }), 'invalid_request', at('/type'))
    })

    test('goes to a disabled endpoint too', async () => {
      const { id } = await createEndpoint(shop)
      await shop.admin.page('POST', `${endpointsUrl}/${id}/disable`)
      expect((await sendTest(id)).json()).toMatchObject({ state: 'pending', isTest: true })
    })

    test('is rejected if the address is no longer allowed', async () => {
      const { id } = await createEndpoint(shop, { url: 'https://moving.example/' })
      service.network.name('moving.example', ['192.168.1.1'])
      expectRefusal(await sendTest(id), 'invalid_request', at('/url', expect.stringMatching(/publicly routable/)))
      service.network.name('moving.example', new NameError('no answer', false))
      expectRefusal(await sendTest(id), 'invalid_request', at('/url', expect.stringMatching(/try again/)))
      expect(await statesOf(service, id)).toEqual({})
      expect(wake).not.toHaveBeenCalled()
    })
  })
})

/** Every route of one endpoint, with a valid body. */
const onOne = [
  ['GET', '', undefined],
  ['GET', '/series', undefined],
  ['PATCH', '', { description: 'taken' }],
  ['DELETE', '', undefined],
  ['GET', '/secret', undefined],
  ['POST', '/enable', { sendHeld: true }],
  ['POST', '/disable', undefined],
  ['POST', '/send-held', undefined],
  ['POST', '/test', undefined],
  ['POST', '/rotate-secret', undefined],
  ['POST', '/rotate-secret', { activate: true }],
  ['DELETE', '/next-secret', undefined],
  ['GET', '/deliveries', undefined],
  ['POST', '/replay/count', undefined],
  ['POST', '/replay', { count: 10 }],
] as const
