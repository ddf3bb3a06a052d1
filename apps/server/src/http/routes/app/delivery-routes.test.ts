import { afterAll, beforeAll, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import type { LoggedDelivery } from '../../../model/delivery-log.ts'
import type { Attempt } from '../../../model/delivery.ts'
import type { Wakeups } from '../../../store/wakeups.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { ruleKindsOf, storeKinds } from '../../../../testing/store/test-store.ts'
import { createAutomation } from '../../../../testing/http/automation-requests.ts'
import { expectRefusal, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import {
  age,
  attemptOf,
  clearWebhooks,
  createEndpoint,
  endpointsUrl,
  lease,
  publish,
  settle,
  statesOf,
} from '../../../../testing/http/webhook-requests.ts'

interface LogPage {
  items: LoggedDelivery[]
  nextCursor?: string
}

describe.each(storeKinds)('deliveries on %s', (kind) => {
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

  const now = () => service.clock.now().toISOString()
  const ask = (query = '') => shop.admin.page('GET', `${endpointsUrl}/${endpointId}/deliveries${query}`)
  const log = async (query = ''): Promise<LogPage> => {
    const answer = await ask(query)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const get = async (id: string) => (await shop.admin.page('GET', `/app/api/deliveries/${id}`)).json()
  const resend = (id: string) => shop.admin.page('POST', `/app/api/deliveries/${id}/resend`)
  const idsOf = (page: LogPage) => page.items.map(({ id }) => id)
  /** Each is created a millisecond after the previous one. */
  const published = async (type?: Parameters<typeof publish>[2]) => {
    await service.clock.advance(1)
    const { deliveryIds, eventId } = await publish(service, shop, type)
    return { id: deliveryIds[0]!, eventId, createdAt: now() }
  }
  const refused = attemptOf({
    status: 500,
    response: 'no thanks',
    failure: { kind: 'status_not_2xx', message: 'The endpoint responded with 500.' },
  })

  describe('the log', () => {
    test.each(ruleKindsOf(kind))('lists deliveries with their attempts, newest first, without responses', async () => {
      const first = await published()
      await settle(service, first.id, 'delivered', [refused, attemptOf({ number: 2 })])
      const second = await published('automation.run.failed')
      const { response: _, signed: __, ...failed } = refused
      const { response: ___, signed: ____, ...succeeded } = attemptOf({ number: 2 })
      expect(await log()).toEqual({
        items: [
          {
            id: second.id,
            eventId: second.eventId,
            eventType: 'automation.run.failed',
            endpointId,
            state: 'pending',
            isTest: false,
            requestedBy: null,
            requestedByName: null,
            createdAt: second.createdAt,
            nextAttemptAt: second.createdAt,
            endedAt: null,
            heldAt: null,
            attemptCount: 0,
            isBeingSent: false,
            isWaiting: false,
            attempts: [],
          },
          {
            id: first.id,
            eventId: first.eventId,
            eventType: 'automation.run.completed',
            endpointId,
            state: 'delivered',
            isTest: false,
            requestedBy: null,
            requestedByName: null,
            createdAt: first.createdAt,
            nextAttemptAt: null,
            endedAt: first.createdAt,
            heldAt: null,
            attemptCount: 2,
            isBeingSent: false,
            isWaiting: false,
            attempts: [failed, succeeded],
          },
        ],
      })
    })

    test('shows which deliveries are being sent, until the worker’s lease expires', async () => {
      const { id } = await published()
      await lease(service, id)
      expect((await log()).items[0]).toMatchObject({ state: 'pending', isBeingSent: true })
      await service.clock.advance(30_000)
      expect((await log()).items[0]).toMatchObject({ state: 'pending', isBeingSent: false })
      expect(await get(id)).toMatchObject({ isBeingSent: false })
    })

    test('is paginated; new deliveries do not shift the pages', async () => {
      const ids: string[] = []
      for (let count = 0; count < 7; count += 1) ids.unshift((await published()).id)
      const first = await log('?limit=3')
      await published()
      const second = await log(`?limit=3&cursor=${first.nextCursor}`)
      const third = await log(`?limit=3&cursor=${second.nextCursor}`)
      expect([first, second, third].map(idsOf)).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
      expect(third.nextCursor).toBeUndefined()
      expect((await log('?limit=8')).nextCursor).toBeUndefined()
    })

    test.each(ruleKindsOf(kind))('pages neither repeat nor skip deliveries with the same time', async () => {
      const ids = await Promise.all(Array.from({ length: 5 }, async () => (await publish(service, shop)).deliveryIds[0]!))
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await log(`?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)
        seen.push(...idsOf(page))
        cursor = page.nextCursor
      } while (cursor !== undefined)
      expect(seen).toEqual(ids.toSorted().toReversed())
    })

    test.each(['pending', 'delivered', 'exhausted', 'held'] as const)('filters by state: %s', async (state) => {
      const made: Record<string, string[]> = { pending: [], delivered: [], exhausted: [], held: [] }
      for (let count = 0; count < 3; count += 1) {
        for (const each of ['delivered', 'exhausted', 'held'] as const) {
          const { id } = await published()
          await settle(service, id, each)
          made[each]!.unshift(id)
        }
        made['pending']!.unshift((await published()).id)
      }
      const first = await log(`?state=${state}&limit=2`)
      expect(idsOf(first)).toEqual(made[state]!.slice(0, 2))
      const second = await log(`?state=${state}&limit=2&cursor=${first.nextCursor}`)
      expect(idsOf(second)).toEqual(made[state]!.slice(2))
      expect(second.nextCursor).toBeUndefined()
    })

    test('filters by type and by period, whose start is inclusive and whose end is exclusive', async () => {
      const made = [await published(), await published('automation.run.failed'), await published(), await published()]
      const [first, failed, third, last] = made.map(({ id }) => id)
      expect(idsOf(await log('?eventType=automation.run.failed'))).toEqual([failed])
      expect(idsOf(await log(`?from=${made[1]!.createdAt}&to=${made[3]!.createdAt}`))).toEqual([third, failed])
      expect(idsOf(await log(`?from=${made[2]!.createdAt}`))).toEqual([last, third])
      expect(idsOf(await log(`?to=${made[1]!.createdAt}`))).toEqual([first])
      expect(idsOf(await log(`?eventType=automation.run.completed&state=pending&to=${made[2]!.createdAt}`))).toEqual([first])
    })

    test('a filter with few matches scans a bounded part and continues on the next page', async () => {
      const failed = await published('automation.run.failed')
      const others = Array.from({ length: 5100 }, (_, index) => ({
        id: `dlv_bulk${index}`,
        event_id: 'evt_bulk',
        endpoint_id: endpointId,
        state: 'pending' as const,
        is_test: false,
        created_at: new Date(service.clock.now().getTime() + 1 + index),
        next_attempt_at: service.clock.now(),
      }))
      const { db } = service.services
      const event = await db.selectFrom('webhook_events').selectAll().executeTakeFirstOrThrow()
      await db.insertInto('webhook_events').values({ ...event, id: 'evt_bulk', type: 'automation.run.completed' }).execute()
      await db.insertInto('webhook_deliveries').values(others.slice(0, 3000)).execute()
      await db.insertInto('webhook_deliveries').values(others.slice(3000)).execute()
      const first = await log('?eventType=automation.run.failed')
      expect(idsOf(first)).toEqual([])
      const second = await log(`?eventType=automation.run.failed&cursor=${first.nextCursor}`)
      expect(idsOf(second)).toEqual([failed.id])
      expect(second.nextCursor).toBeUndefined()
    })

    describe('searched', () => {
      test('by event id finds all its deliveries to this endpoint, by delivery id that one', async () => {
        const wanted = await published()
        const other = await published('automation.run.failed')
        await settle(service, wanted.id, 'exhausted', [refused])
        const again = (await resend(wanted.id)).json().id
        await service.clock.advance(5)
        const third = (await resend(wanted.id)).json().id
        expect(idsOf(await log(`?search=${wanted.eventId}`))).toEqual([third, again, wanted.id])
        expect(idsOf(await log(`?search=%20${wanted.eventId}%20&state=exhausted`))).toEqual([wanted.id])
        expect(idsOf(await log(`?search=${wanted.eventId}&eventType=automation.run.failed`))).toEqual([])
        expect(idsOf(await log(`?search=${other.id}`))).toEqual([other.id])
        const first = await log(`?search=${wanted.eventId}&limit=2`)
        const rest = await log(`?search=${wanted.eventId}&limit=2&cursor=${first.nextCursor}`)
        expect([idsOf(first), idsOf(rest), rest.nextCursor]).toEqual([[third, again], [wanted.id], undefined])
        const ofOther = await ask(`?search=${other.eventId}&limit=2&cursor=${first.nextCursor}`)
        expect(ofOther.json()).toMatchObject({ code: 'cursor_invalid', message: expect.stringMatching(/other filters/) })
      })

      test.each(ruleKindsOf(kind))('by automation run id finds the deliveries of its event', async () => {
        const query = await storeQuery(shop, 'select 1')
        const { shortId } = await storeReference(shop, query.id)
        const automation = await createAutomation(shop, { references: [shortId] })
        const run = (await shop.admin.page('POST', `/app/api/automations/${automation.id}/runs`)).json()
        expect((await shop.admin.page('POST', `/app/api/automation-runs/${run.id}/stop`)).statusCode).toBeLessThan(300)
        await published()
        const { items } = await log(`?search=${run.id}`)
        expect(items).toMatchObject([{ eventType: 'automation.run.failed', state: 'pending' }])
        expect(JSON.parse((await get(items[0]!.id)).request.body).data).toMatchObject({ runId: run.id })
        const shown = (await shop.admin.page('GET', `/app/api/automation-runs/${run.id}`)).json()
        expect(shown.event.deliveries).toMatchObject([{ id: items[0]!.id, endpointId }])
        await resend(items[0]!.id)
        const resent = (await shop.admin.page('GET', `/app/api/automation-runs/${run.id}`)).json()
        expect(resent.event.deliveries).toHaveLength(2)
      })

      test('does not find other endpoints’ deliveries or unknown ids', async () => {
        const other = await createEndpoint(shop)
        const { eventId } = await published()
        const ofOther = await shop.admin.page('GET', `${endpointsUrl}/${other.id}/deliveries?search=${eventId}`)
        const { items } = ofOther.json<LogPage>()
        expect(items).toHaveLength(1)
        expect(idsOf(await log(`?search=${items[0]!.id}`))).toEqual([])
        for (const id of ['evt_nothing', 'arun_nothing', 'dlv_nothing']) expect(await log(`?search=${id}`)).toEqual({ items: [] })
      })

      test.each(ruleKindsOf(kind))('rejects other kinds of ids', async () => {
        for (const text of ['revenue', 'run_1', 'evt_', 'evt_%01', '%20']) {
          expectRefusal(await ask(`?search=${text}`), 'invalid_request', {
            message: /evt_…/,
            details: [{ path: 'search', message: expect.stringMatching(/evt_…/) }],
          })
        }
      })
    })

    test.each(ruleKindsOf(kind))('a cursor is valid only for its endpoint and filters, for a day', async () => {
      for (let count = 0; count < 3; count += 1) await published()
      const cursor = (await log('?limit=1&state=pending')).nextCursor!
      const invalid = (answer: Awaited<ReturnType<typeof ask>>, message: RegExp) =>
        expectRefusal(answer, 'cursor_invalid', { message, details: [{ path: 'cursor', message: expect.any(String) }] })
      expect((await log(`?limit=2&state=pending&cursor=${cursor}`)).items).toHaveLength(2)
      invalid(await ask(`?limit=1&cursor=${cursor}`), /other filters/)
      invalid(await ask(`?limit=1&state=held&cursor=${cursor}`), /other filters/)
      invalid(await ask(`?limit=1&state=pending&to=${now()}&cursor=${cursor}`), /other filters/)
      invalid(await ask(`?limit=1&state=pending&cursor=${cursor.slice(0, -1)}`), /did not issue|this service issued/)
      invalid(await ask('?cursor=nonsense'), /this service issued/)
      const ofQueries = service.services.cursors.encode({
        list: 'queries',
        organizationId: shop.admin.caller.organizationId,
        systemIdentifier: service.services.systemIdentifier,
        snapshot: '1:1:',
        after: { createdAt: now(), id: 'dlv_1' },
        sequenceStartedAt: service.clock.now(),
        issuedAt: service.clock.now(),
      })
      invalid(await ask(`?state=pending&cursor=${ofQueries}`), /this service issued/)
      const other = await createEndpoint(shop)
      const ofOther = await shop.admin.page('GET', `${endpointsUrl}/${other.id}/deliveries?limit=1&state=pending&cursor=${cursor}`)
      invalid(ofOther, /another list/)
      await service.clock.advance(24 * 3600_000)
      expectRefusal(await ask(`?limit=1&state=pending&cursor=${cursor}`), 'cursor_expired')
    })

    test.each([
      ['limit=0', 'limit'],
      ['limit=101', 'limit'],
      ['state=sent', 'state'],
      ['eventType=nonsense', 'eventType'],
      ['from=yesterday', 'from'],
      ['from=2026-02-30T00:00:00Z', 'from'],
      ['from=0001-01-01T00:00:00Z', 'from'],
      ['to=2026-12-31T23:59:60Z', 'to'],
      ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z', 'to'],
      ['offset=1', 'offset'],
    ])('rejects ?%s', async (query, place) => {
      expectRefusal(await ask(`?${query}`), 'invalid_request', { details: [{ path: place, message: expect.any(String) }] })
    })
  })

  test.each(ruleKindsOf(kind))('a delivery includes complete requests and responses, and nothing that could sign another', async () => {
    const { id, eventId, createdAt } = await published()
    const unsent = attemptOf({ number: 2, signed: null, address: null, status: null, response: '' })
    await settle(service, id, 'exhausted', [refused, unsent])
    const answer = await shop.admin.page('GET', `/app/api/deliveries/${id}`)
    const shown = answer.json()
    const { signed, ...sent } = refused
    const { signed: _, ...notSent } = unsent
    const always = { 'content-type': 'application/json', 'svc-webhook-id': eventId, 'webhook-id': eventId }
    expect(shown).toMatchObject({ id, eventId, state: 'exhausted' })
    expect(shown.attempts).toEqual([
      {
        ...sent,
        requestHeaders: expect.objectContaining({
          ...always,
          'svc-webhook-timestamp': signed!.timestamp,
          'svc-webhook-signature': signed!.signature,
          'webhook-timestamp': signed!.timestamp,
          'webhook-signature': `v1,${Buffer.from('55'.repeat(32), 'hex').toString('base64')}`,
        }),
      },
      { ...notSent, requestHeaders: null },
    ])
    expect(shown.request).toEqual({
      url: 'https://hooks.example/querypost',
      headers: expect.objectContaining(always),
      body: expect.any(String),
    })
    expect(JSON.parse(shown.request.body)).toMatchObject({ id: eventId, type: 'automation.run.completed', createdAt })
    expect(answer.body).not.toContain('whsec_')
  })

  test.each(ruleKindsOf(kind))('attempts from before signatures were recorded have none', async () => {
    const { id } = await published()
    const { signed: _, ...old } = refused
    await settle(service, id, 'exhausted', [old as Attempt])
    expect((await get(id)).attempts).toEqual([{ ...old, requestHeaders: null }])
  })

  test.each(['dlv_nothing', 'nonsense%00', 'x'.repeat(5000)])('returns 404 for the delivery %j', async (id) => {
    expectRefusal(await shop.admin.page('GET', `/app/api/deliveries/${id}`), 'delivery_not_found')
    expectRefusal(await resend(id), 'delivery_not_found')
  })

  describe('resending', () => {
    test.each(ruleKindsOf(kind))('creates a new delivery of the same event, attributed to the caller', async () => {
      const { id, eventId } = await published()
      await settle(service, id, 'exhausted', [refused])
      const before = await get(id)
      await service.clock.advance(1000)
      wake.mockClear()
      const answer = await resend(id)
      expect(answer.statusCode).toBe(202)
      expect(answer.json()).toEqual({
        ...before,
        id: expect.stringMatching(/^dlv_\w{22}$/),
        eventId,
        state: 'pending',
        requestedBy: shop.admin.caller.userId,
        requestedByName: 'admin',
        createdAt: now(),
        nextAttemptAt: now(),
        endedAt: null,
        attemptCount: 0,
        attempts: [],
      })
      expect(wake.mock.calls).toEqual([['deliveries']])
      expect(await get(id)).toEqual(before)
      expect(idsOf(await log())).toEqual([answer.json().id, id])
    })

    test.each(ruleKindsOf(kind))('a test stays a test', async () => {
      const { id } = (await shop.admin.page('POST', `${endpointsUrl}/${endpointId}/test`)).json()
      expect((await resend(id)).json()).toMatchObject({ isTest: true })
    })

    test.each(ruleKindsOf(kind))('is rejected while the endpoint is disabled', async () => {
      const { id } = await published()
      await settle(service, id, 'exhausted')
      await shop.admin.page('POST', `${endpointsUrl}/${endpointId}/disable`)
      wake.mockClear()
      expectRefusal(await resend(id), 'endpoint_disabled', { message: /Enable it first/ })
      expect(await statesOf(service, endpointId)).toEqual({ [id]: 'exhausted' })
      expect(wake).not.toHaveBeenCalled()
    })

    test('is rejected once the event is 28 days old', async () => {
      const { id, eventId } = await published()
      await age(service, 'webhook_events', { id: eventId, days: 27.9 })
      expect((await resend(id)).statusCode).toBe(202)
      await age(service, 'webhook_events', { id: eventId, days: 28 })
      expectRefusal(await resend(id), 'event_expired', { message: /28 days/ })
    })
  })
})
