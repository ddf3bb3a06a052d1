import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { countReplay, replay, type ReplayInput } from '../../../domain/webhooks/deliveries/replay.ts'
import type { DeliveryState } from '../../../model/delivery.ts'
import type { AutomationRunEvent } from '../../../model/event.ts'
import type { Wakeups } from '../../../store/wakeups.ts'
import { countReplayEvents, readReplayEvents } from '../../../store/webhooks/read-replay-events.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { age, clearWebhooks, createEndpoint, endpointsUrl, publish, settle, statesOf } from '../../../../testing/http/webhook-requests.ts'

describe.each(storeKinds)('replay on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let endpointId: string
  let wake: MockInstance<Wakeups['wake']>

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    wake = vi.spyOn(service.services.wakeups, 'wake')
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    await clearWebhooks(service)
    endpointId = (await createEndpoint(shop)).id
    wake.mockClear()
  })

  const post = (rest: string, body?: object) => shop.admin.page('POST', `${endpointsUrl}/${endpointId}/${rest}`, body)
  const count = async (body?: object): Promise<number> => {
    const answer = await post('replay/count', body)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json().count
  }
  const postReplay = (body: object) => post('replay', body)
  /** The events that were sent again, oldest delivery first. */
  const resent = async () => {
    const rows = await service.services.db
      .selectFrom('webhook_deliveries')
      .select(['event_id', 'state', 'is_test', 'requested_by', 'next_attempt_at', 'attempt_count'])
      .where('endpoint_id', '=', endpointId)
      .where('requested_by', 'is not', null)
      .execute()
    return rows
  }
  const ended = async (state: Exclude<DeliveryState, 'pending'>, type?: AutomationRunEvent['type']) => {
    await service.clock.advance(1)
    const { eventId, deliveryIds } = await publish(service, shop, type)
    await settle(service, deliveryIds[0]!, state)
    return { eventId, id: deliveryIds[0]!, createdAt: service.clock.now().toISOString() }
  }

  test('sends undelivered events again, each once', async () => {
    const [first, second] = [await ended('exhausted'), await ended('exhausted', 'automation.run.failed')]
    await ended('delivered')
    await ended('held')
    // The first one was already resent, and failed again.
    const again = (await shop.admin.page('POST', `/app/api/deliveries/${first.id}/resend`)).json()
    await settle(service, again.id, 'exhausted')
    await service.services.db.updateTable('webhook_deliveries').set({ requested_by: null }).execute()
    wake.mockClear()

    expect(await count()).toBe(2)
    const answer = await postReplay({ count: 2 })
    expect([answer.statusCode, answer.json()]).toEqual([202, { count: 2 }])
    expect(wake.mock.calls).toEqual([['deliveries']])
    const expected = [first, second].map(({ eventId }) => ({
      event_id: eventId,
      state: 'pending',
      is_test: false,
      requested_by: shop.admin.caller.userId,
      next_attempt_at: service.clock.now(),
      attempt_count: 0,
    }))
    expect((await resent()).toSorted(byEvent)).toEqual(expected.toSorted(byEvent))
  })

  test.each(ruleKindsOf(kind))('a second replay does not resend pending deliveries', async () => {
    for (let index = 0; index < 3; index += 1) await ended('exhausted')
    expect((await postReplay({ count: 3 })).json()).toEqual({ count: 3 })
    expect(await count()).toBe(0)
    expect((await postReplay({ count: 3 })).json()).toEqual({ count: 0 })
    expect(await resent()).toHaveLength(3)
  })

  test('filters by states, types and period', async () => {
    const made = [
      await ended('exhausted'),
      await ended('delivered', 'automation.run.failed'),
      await ended('delivered'),
      await ended('exhausted', 'automation.run.failed'),
    ]
    expect(await count({ states: ['delivered'] })).toBe(2)
    expect(await count({ states: ['delivered', 'exhausted'] })).toBe(4)
    expect(await count({ states: ['delivered', 'exhausted'], eventTypes: ['automation.run.failed'] })).toBe(2)
    const choice = { states: ['delivered', 'exhausted'], from: made[1]!.createdAt, to: made[3]!.createdAt }
    expect(await count(choice)).toBe(2)
    expect((await postReplay({ ...choice, count: 2 })).json()).toEqual({ count: 2 })
    const events = (await resent()).map(({ event_id }) => event_id).toSorted()
    expect(events).toEqual([made[1]!.eventId, made[2]!.eventId].toSorted())
  })

  test.each(ruleKindsOf(kind))('excludes tests', async () => {
    const { id } = (await post('test')).json()
    await settle(service, id, 'exhausted')
    expect(await count()).toBe(0)
  })

  test.each(ruleKindsOf(kind))('excludes events that are 28 days old', async () => {
    const [old, young] = [await ended('exhausted'), await ended('exhausted')]
    await age(service, 'webhook_events', { id: old.eventId, days: 28 })
    await age(service, 'webhook_events', { id: young.eventId, days: 27.9 })
    expect(await count()).toBe(1)
  })

  test.each(ruleKindsOf(kind))('sends nothing if more events match than the given count; fewer are sent', async () => {
    for (let index = 0; index < 2; index += 1) await ended('exhausted')
    wake.mockClear()
    expectRefusal(await postReplay({ count: 1 }), 'count_changed', { message: /^2 events match now instead of 1/ })
    expect(await resent()).toEqual([])
    expect(wake).not.toHaveBeenCalled()
    expect((await postReplay({ count: 50 })).json()).toEqual({ count: 2 })
  })

  test.each(ruleKindsOf(kind))('is rejected while the endpoint is disabled; counting is not', async () => {
    await ended('exhausted')
    await post('disable')
    expect(await count()).toBe(1)
    expectRefusal(await postReplay({ count: 1 }), 'endpoint_disabled')
    expect(Object.values(await statesOf(service, endpointId))).toEqual(['exhausted'])
  })

  test.each(ruleKindsOf(kind))('concurrent replays send each event once', async () => {
    for (let index = 0; index < 4; index += 1) await ended('exhausted')
    const answers = await Promise.all([postReplay({ count: 4 }), postReplay({ count: 4 }), postReplay({ count: 4 })])
    const sent = answers.map((answer) => answer.json<{ count: number }>().count)
    expect(sent.toSorted((a, b) => a - b)).toEqual([0, 0, 4])
    expect(await resent()).toHaveLength(4)
  })

  test.each([
    [{}, '/count'],
    [{ count: -1 }, '/count'],
    [{ count: 100_001 }, '/count'],
    [{ count: '1' }, '/count'],
    [{ count: 1, states: [] }, '/states'],
    [{ count: 1, states: ['held'] }, '/states/0'],
    [{ count: 1, states: ['pending'] }, '/states/0'],
    [{ count: 1, eventTypes: [] }, '/eventTypes'],
    [{ count: 1, eventTypes: ['nonsense'] }, '/eventTypes/0'],
    [{ count: 1, from: 'yesterday' }, '/from'],
    [{ count: 1, from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, '/to'],
    [{ count: 1, ids: ['dlv_1'] }, '/ids'],
  ])('rejects the body %o', async (body, place) => {
    expectRefusal(await postReplay(body), 'invalid_request', at(place))
    if (place !== '/count') {
      const { count: _, ...choice } = body as { count: unknown }
      expectRefusal(await post('replay/count', choice), 'invalid_request', at(place))
    }
  })
})

describe('a replay of too many events', () => {
  let service: TestService
  beforeAll(async () => void (service = await startTestService('postgres', { worker: false })))
  afterAll(() => service.stop())

  test('is rejected; a shorter period is accepted', async () => {
    const max = 20
    const shop = await service.addOrganization('shop')
    const { caller } = shop.admin
    const { id } = await createEndpoint(shop)
    const { db } = service.services
    const now = service.clock.now()
    await sql`
      insert into webhook_events (id, organization_id, type, created_at, body)
      select 'evt_' || i, ${caller.organizationId}, 'automation.run.failed', ${now}::timestamptz, '{}'
      from generate_series(0, ${max}::integer) as i`.execute(db)
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, ended_at)
      select 'dlv_' || i, 'evt_' || i, ${id}, 'exhausted', false, ${now}::timestamptz + i * interval '1 ms', ${now}::timestamptz
      from generate_series(0, ${max}::integer) as i`.execute(db)
    const counting = (input: ReplayInput, limit?: number) => countReplay(service.services, caller, id, input, limit)
    const replaying = (input: ReplayInput) => replay(service.services, caller, id, { ...input, count: max }, max)
    const tooMany = { code: 'invalid_request', message: expect.stringMatching(/^More than 20 events/), details: [{ path: '/from' }] }
    await expect(counting({}, max)).rejects.toMatchObject(tooMany)
    await expect(replaying({})).rejects.toMatchObject(tooMany)
    expect(await counting({})).toEqual({ count: max + 1 })
    const from = new Date(now.getTime() + 1).toISOString()
    expect(await counting({ from }, max)).toEqual({ count: max })
    const to = new Date(now.getTime() + 10).toISOString()
    expect(await replaying({ from, to })).toEqual({ count: 9 })
  })

  test('is rejected by the number of deliveries too, even with few events', async () => {
    const read = { endpointId: 'we_1', states: ['exhausted' as const], eventTypes: [], eventsAfter: new Date(0) }
    const { db } = service.services
    const [endpoint] = await db.selectFrom('webhook_endpoints').select('id').execute()
    const few = { ...read, endpointId: endpoint!.id, lookMax: 2 }
    expect(await countReplayEvents(db, few)).toBe('too_many')
    expect(await db.transaction().execute((tx) => readReplayEvents(tx, few))).toBe('too_many')
    expect(await countReplayEvents(db, { ...few, to: service.clock.now() })).toBe(0)
  })
})

const byEvent = (one: { event_id: string }, other: { event_id: string }) => (one.event_id < other.event_id ? -1 : 1)
