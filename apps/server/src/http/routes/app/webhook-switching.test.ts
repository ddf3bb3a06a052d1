import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { Wakeups } from '../../../store/wakeups.ts'
import { setEndpointState } from '../../../store/webhooks/endpoints-table.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import {
  age,
  attemptOf,
  clearWebhooks,
  createEndpoint,
  endpointsUrl,
  getEndpoint,
  lease,
  publish,
  settle,
  statesOf,
} from '../../../../testing/http/webhook-requests.ts'

describe.each(routeStoreKinds)('enabling and disabling endpoints on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let wake: MockInstance<Wakeups['wake']>

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    wake = vi.spyOn(service.services.wakeups, 'wake')
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    await clearWebhooks(service)
    wake.mockClear()
  })

  const post = (id: string, action: string, body?: object) => shop.admin.page('POST', `${endpointsUrl}/${id}/${action}`, body)
  const published = async () => (await publish(service, shop)).deliveryIds[0]!

  test('an ordered endpoint keeps the place of held events that are sent on enabling, and of no others', async () => {
    const { id } = await createEndpoint(shop, { isOrdered: true })
    const orderKeys = async () => {
      const rows = await service.services.db.selectFrom('webhook_deliveries').select(['id', 'order_key']).orderBy('created_at').execute()
      return rows.map(({ order_key: key }) => key)
    }
    await published()
    await post(id, 'disable')
    await published()
    expect((await post(id, 'enable', { sendHeld: true })).json()).toMatchObject({ isOrdered: true, heldCount: 0 })
    expect(Object.values(await statesOf(service, id))).toEqual(['pending', 'pending'])
    expect(await orderKeys()).toEqual(['a_1', 'a_1'])
    await post(id, 'disable')
    expect((await post(id, 'enable')).json()).toMatchObject({ heldCount: 2 })
    expect((await post(id, 'send-held')).json()).toEqual({ count: 2 })
    expect(await orderKeys()).toEqual([null, null])
    // The setting is for new events.
    await shop.admin.page('PATCH', `${endpointsUrl}/${id}`, { isOrdered: false })
    await published()
    expect(await orderKeys()).toEqual([null, null, null])
  })

  test('a new event of an ordered endpoint is held while held events are being released', async () => {
    const { id } = await createEndpoint(shop, { isOrdered: true })
    const { db } = service.services
    // As left by a process that died during the release.
    await db.updateTable('webhook_endpoints').set({ is_releasing: true }).where('id', '=', id).execute()
    const delivery = await published()
    expect((await statesOf(service, id))[delivery]).toBe('held')
    expect((await post(id, 'send-held')).json()).toEqual({ count: 1 })
    const later = await published()
    expect(await statesOf(service, id)).toEqual({ [delivery]: 'pending', [later]: 'pending' })
    const kept = await db.selectFrom('webhook_deliveries').select('id').where('order_key', '=', 'a_1').execute()
    expect(kept).toHaveLength(2)
  })

  test('disabling records by whom, and holds pending deliveries except tests and those being sent', async () => {
    const { id } = await createEndpoint(shop)
    const [waiting, sending, done] = [await published(), await published(), await published()]
    const sample = (await post(id, 'test')).json()
    await lease(service, sending)
    await settle(service, done, 'delivered', [attemptOf()])
    await service.clock.advance(1000)
    const answer = await post(id, 'disable')
    expect(answer.statusCode).toBe(200)
    const now = service.clock.now().toISOString()
    expect(answer.json()).toMatchObject({
      id,
      state: 'disabled',
      disabledAt: now,
      disabledReason: 'Disabled by admin.',
      updatedAt: now,
      heldCount: 1,
    })
    expect(await statesOf(service, id)).toEqual({
      [waiting]: 'held',
      [sending]: 'pending',
      [done]: 'delivered',
      [sample.id]: 'pending',
    })
    const held = (await shop.admin.page('GET', `/app/api/deliveries/${waiting}`)).json()
    expect(held).toMatchObject({ state: 'held', heldAt: now, nextAttemptAt: null })
    // New deliveries are held from the start.
    const later = await published()
    expect((await statesOf(service, id))[later]).toBe('held')
    expect((await getEndpoint(shop.admin, id)).heldCount).toBe(2)
  })

  test('disabling a disabled endpoint changes nothing', async () => {
    const { id } = await createEndpoint(shop)
    const disabled = (await post(id, 'disable')).json()
    await service.clock.advance(1000)
    expect((await post(id, 'disable')).json()).toEqual(disabled)
  })

  test('enabling resets the counter and keeps deliveries held until they are sent', async () => {
    const { id } = await createEndpoint(shop)
    const waiting = await published()
    await post(id, 'disable')
    await service.services.db.updateTable('webhook_endpoints').set({ consecutive_failures: 5 }).execute()
    const enabled = await post(id, 'enable')
    expect(enabled.statusCode).toBe(200)
    expect(enabled.json()).toMatchObject({
      state: 'enabled',
      consecutiveFailures: 0,
      disabledAt: null,
      disabledReason: null,
      heldCount: 1,
    })
    expect(await statesOf(service, id)).toEqual({ [waiting]: 'held' })

    wake.mockClear()
    await service.clock.advance(60_000)
    const sent = await post(id, 'send-held')
    expect([sent.statusCode, sent.json()]).toEqual([202, { count: 1 }])
    expect(wake.mock.calls).toEqual([['deliveries']])
    expect((await shop.admin.page('GET', `/app/api/deliveries/${waiting}`)).json()).toMatchObject({
      state: 'pending',
      heldAt: null,
      nextAttemptAt: service.clock.now().toISOString(),
    })
    expect((await post(id, 'send-held')).json()).toEqual({ count: 0 })
  })

  test('enabling does not send deliveries that disabling has not held yet', async () => {
    const { id } = await createEndpoint(shop)
    const waiting = await published()
    // The state after a process died between disabling the endpoint and holding its pending deliveries.
    const change = { state: 'disabled', reason: 'Disabled by a test.', now: service.clock.now() } as const
    await service.services.db.transaction().execute((tx) => setEndpointState(tx, id, change))
    expect(await statesOf(service, id)).toEqual({ [waiting]: 'pending' })
    expect((await post(id, 'enable')).json()).toMatchObject({ state: 'enabled', heldCount: 1 })
    expect(await statesOf(service, id)).toEqual({ [waiting]: 'held' })
  })

  test('enabling can send held deliveries at once; earlier attempts still count', async () => {
    const { id } = await createEndpoint(shop)
    const waiting = await published()
    const refused = { status: 500, failure: { kind: 'status_not_2xx', message: 'It answered 500.' } } as const
    await settle(service, waiting, 'held', [attemptOf(refused), attemptOf({ ...refused, number: 2 })])
    await post(id, 'disable')
    wake.mockClear()
    const enabled = await post(id, 'enable', { sendHeld: true })
    expect(enabled.json()).toMatchObject({ state: 'enabled', heldCount: 0 })
    expect(wake.mock.calls).toEqual([['deliveries']])
    expect((await shop.admin.page('GET', `/app/api/deliveries/${waiting}`)).json()).toMatchObject({
      state: 'pending',
      attemptCount: 2,
      nextAttemptAt: service.clock.now().toISOString(),
    })
  })

  test('enabling an enabled endpoint keeps its counter, and can send held deliveries', async () => {
    const { id } = await createEndpoint(shop)
    await settle(service, await published(), 'held')
    await service.services.db.updateTable('webhook_endpoints').set({ consecutive_failures: 3 }).execute()
    const before = await getEndpoint(shop.admin, id)
    expect((await post(id, 'enable', {})).json()).toEqual(before)
    expect((await post(id, 'enable', { sendHeld: true })).json()).toMatchObject({ consecutiveFailures: 3, heldCount: 0 })
  })

  test('held deliveries that are about to expire are not sent', async () => {
    const { id } = await createEndpoint(shop)
    const [old, young] = [await published(), await published()]
    await settle(service, old, 'held')
    await settle(service, young, 'held')
    await age(service, 'webhook_deliveries', { id: old, days: 34 })
    await age(service, 'webhook_deliveries', { id: young, days: 33.9 })
    expect((await post(id, 'send-held')).json()).toEqual({ count: 1 })
    expect(await statesOf(service, id)).toEqual({ [old]: 'held', [young]: 'pending' })
  })

  test('held deliveries are not sent to a disabled endpoint', async () => {
    const { id } = await createEndpoint(shop)
    const waiting = await published()
    await post(id, 'disable')
    expectRefusal(await post(id, 'send-held'), 'endpoint_disabled', { message: /Enable it first/ })
    expect(await statesOf(service, id)).toEqual({ [waiting]: 'held' })
  })

  test.each([
    [{ sendHeld: 'yes' }, '/sendHeld'],
    [{ send: true }, '/send'],
  ])('enabling rejects the body %o', async (body, place) => {
    const { id } = await createEndpoint(shop)
    expectRefusal(await post(id, 'enable', body), 'invalid_request', at(place))
  })

  test('concurrent changes end in one of the two states, with matching deliveries', async () => {
    const { id } = await createEndpoint(shop)
    for (let count = 0; count < 5; count += 1) await published()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (index % 2 ? post(id, 'enable', { sendHeld: true }) : post(id, 'disable'))),
    )
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
    const { state, disabledReason } = await getEndpoint(shop.admin, id)
    const states = new Set(Object.values(await statesOf(service, id)))
    expect(states).toEqual(new Set([state === 'enabled' ? 'pending' : 'held']))
    expect(disabledReason).toBe(state === 'enabled' ? null : 'Disabled by admin.')
  })
})
