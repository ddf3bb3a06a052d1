import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { age, clearWebhooks, createEndpoint, endpointsUrl, publish, settle, statesOf } from '../../testing/http/webhook-requests.ts'
import { removeDeletedEndpoints, removeOldDeliveries, removeOldDeliveriesOfEndpoints } from '../store/webhooks/remove-old-deliveries.ts'
import { firstOrderedId } from '../domain/ids.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { storeKinds } from '../../testing/store/test-store.ts'
import { sweep } from './sweeper.ts'

describe.each(storeKinds)('the sweep of webhooks on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    await clearWebhooks(service)
    await service.services.db.deleteFrom('sweep_walks').execute()
  })

  const count = async (table: 'webhook_endpoints' | 'webhook_events' | 'webhook_deliveries') =>
    (await service.services.db.selectFrom(table).select('id').execute()).length

  test('deletes the log of a deleted endpoint, then its row, and keeps other endpoints', async () => {
    const [gone, stays] = [await createEndpoint(shop), await createEndpoint(shop)]
    for (let index = 0; index < 3; index += 1) await publish(service, shop)
    await shop.admin.page('DELETE', `${endpointsUrl}/${gone.id}`)
    await sweep(service.services)
    expect(await statesOf(service, gone.id)).toEqual({})
    expect(Object.keys(await statesOf(service, stays.id))).toHaveLength(3)
    // A transaction that has just read the endpoint may still insert a delivery for it.
    expect(await count('webhook_endpoints')).toBe(2)
    await service.clock.advance(3600_001)
    await sweep(service.services)
    expect(await count('webhook_endpoints')).toBe(1)
    expect(await count('webhook_events')).toBe(3)
  })

  test('keeps the row of a deleted endpoint as long as a delivery points to it', async () => {
    const { id } = await createEndpoint(shop)
    await publish(service, shop)
    await shop.admin.page('DELETE', `${endpointsUrl}/${id}`)
    await service.clock.advance(3600_001)
    const options = { deletedBefore: service.clock.now(), portion: 10 }
    expect(await removeDeletedEndpoints(service.services.db, options)).toBe(0)
    await service.services.db.deleteFrom('webhook_deliveries').execute()
    expect(await removeDeletedEndpoints(service.services.db, options)).toBe(1)
  })

  test('deletes deliveries after 32 days, keeps held ones for 30 days, and never deletes pending ones', async () => {
    const { id } = await createEndpoint(shop)
    const made = async (
      days: number,
      state: 'pending' | 'delivered' | 'exhausted' | 'held',
      heldDays?: number,
    ): Promise<string> => {
      const deliveryId = (await publish(service, shop)).deliveryIds[0]!
      if (state !== 'pending') await settle(service, deliveryId, state)
      await age(service, 'webhook_deliveries', { id: deliveryId, days, ...(heldDays !== undefined && { heldDays }) })
      return deliveryId
    }
    const stay = [
      await made(31.9, 'delivered'),
      await made(31.9, 'exhausted'),
      await made(31.9, 'held', 31.8),
      await made(33.9, 'held', 29.9),
      await made(63.9, 'pending'),
    ]
    const go = [
      await made(32.1, 'delivered'),
      await made(32.1, 'exhausted'),
      await made(32.1, 'held', 30.1),
      // Held, sent and held again: another hold does not extend its life.
      await made(34.1, 'held', 1),
      // Its event goes, too.
      await made(64.1, 'pending'),
    ]
    expect(Object.keys(await statesOf(service, id)).toSorted()).toEqual([...stay, ...go].toSorted())
    await sweep(service.services)
    expect(Object.keys(await statesOf(service, id)).toSorted()).toEqual(stay.toSorted())
  })

  test('deletes events after 64 days', async () => {
    const [old, young] = [await publish(service, shop), await publish(service, shop)]
    await age(service, 'webhook_events', { id: old.eventId, days: 64.1 })
    await age(service, 'webhook_events', { id: young.eventId, days: 63.9 })
    await sweep(service.services)
    const left = await service.services.db.selectFrom('webhook_events').select('id').execute()
    expect(left).toEqual([{ id: young.eventId }])
  })

  test('a batch is no larger than requested, and one sweep removes many batches', async () => {
    const endpoints = [await createEndpoint(shop), await createEndpoint(shop)]
    const { db } = service.services
    const { eventId } = await publish(service, shop)
    const created = new Date(service.clock.now().getTime() - 33 * 24 * 3600_000)
    const rows = Array.from({ length: 2500 }, (_, index) => ({
      id: `${firstOrderedId('dlv', created.getTime())}${index}`,
      event_id: eventId,
      endpoint_id: endpoints[index % 2]!.id,
      state: 'delivered' as const,
      is_test: false,
      created_at: created,
      ended_at: created,
    }))
    await db.insertInto('webhook_deliveries').values(rows).execute()
    const now = service.clock.now()
    const options = { createdBefore: now, heldBefore: now, createdBeforeAll: now, pendingBefore: new Date(0), idBefore: firstOrderedId('dlv', now.getTime()), portion: 10 }
    expect(await removeOldDeliveries(db, options)).toBe(10)
    expect(await count('webhook_deliveries')).toBe(2492)
    await sweep(service.services)
    expect(await count('webhook_deliveries')).toBe(2)
  })

  test('deletes old deliveries whose ids don’t tell their age once a day', async () => {
    const { id } = await createEndpoint(shop)
    const dayMs = 24 * 3600_000
    const makeOld = async (days: number) => {
      const deliveryId = (await publish(service, shop)).deliveryIds[0]!
      await settle(service, deliveryId, 'delivered')
      await age(service, 'webhook_deliveries', { id: deliveryId, days })
    }
    for (let index = 0; index < 3; index += 1) await makeOld(33)
    const now = service.clock.now()
    const options = { createdBefore: new Date(now.getTime() - 32 * dayMs), heldBefore: now, createdBeforeAll: new Date(0), pendingBefore: new Date(0), now, portion: 2 }
    const { db } = service.services
    expect(await removeOldDeliveriesOfEndpoints(db, options)).toEqual({ rows: 2, hasMore: true })
    expect(await removeOldDeliveriesOfEndpoints(db, options)).toEqual({ rows: 1, hasMore: false })
    await makeOld(33)
    await sweep(service.services)
    expect(await statesOf(service, id)).not.toEqual({})
    await service.clock.advance(dayMs)
    await sweep(service.services)
    expect(await statesOf(service, id)).toEqual({})
  })
})
