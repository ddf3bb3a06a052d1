import { describe, expect, test } from 'vitest'
import { at, content, delivered, type DeliveryHelpers, organizationId, perLane, retry } from './conformance-helpers.ts'
import { deliveryLeaseMs, deliveryWaitsMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

export function testClaims(helpers: () => DeliveryHelpers): void {
  describe('a claim', () => {
    test('returns everything an attempt needs', async () => {
      const { addEndpoint, publish, claim } = helpers()
      await addEndpoint('we_a')
      const { eventId, deliveryIds } = await publish(0)
      const { deliveries, nextAfterLane } = await claim(5)
      expect(nextAfterLane).toBe('')
      expect(deliveries).toHaveLength(1)
      const { body, secret, traceparent = null, ...rest } = deliveries[0]!
      expect(traceparent).toBeNull()
      expect(rest).toEqual({
        id: deliveryIds[0],
        leaseNumber: 1,
        orderKey: null,
        attemptNumber: 1,
        eventId,
        endpointId: 'we_a',
        organizationId,
        url: 'https://we-a.example/hook',
      })
      expect(Buffer.from(secret).toString()).toBe('sealed we_a')
      expect(JSON.parse(body)).toMatchObject({ id: eventId, createdAt: at(0).toISOString() })
    })

    test('skips deliveries that are not due', async () => {
      const { addEndpoint, publish, claim } = helpers()
      await addEndpoint('we_a')
      await publish(1000)
      expect((await claim(999)).deliveries).toEqual([])
      expect((await claim(1000)).deliveries).toHaveLength(1)
    })

    test('takes what a worker that is gone had leased, except in order, and its record no longer counts', async () => {
      const { addEndpoint, publish, claim, recordOne } = helpers()
      await addEndpoint('we_a')
      await addEndpoint('we_b', { isOrdered: true })
      await publish(0)
      const { deliveries: before } = await claim(0, { workerId: 'worker_gone' })
      expect(perLane(before)).toEqual({ we_a: 1, we_b: 1 })
      expect((await claim(10, { goneWorkers: ['worker_other'] })).deliveries).toEqual([])
      const { deliveries: taken } = await claim(10, { goneWorkers: ['worker_gone'] })
      expect(perLane(taken)).toEqual({ we_a: 1 })
      expect((await claim(11, { goneWorkers: ['worker_gone'] })).deliveries).toEqual([])
      expect(await recordOne(before.find(({ endpointId }) => endpointId === 'we_a')!, delivered, 20)).toBe(false)
      expect(await recordOne(taken[0]!, delivered, 20)).toBe(true)
    })

    test('takes the deliveries of each lane in due order', async () => {
      const { addEndpoint, publish, claim } = helpers()
      await addEndpoint('we_a')
      const ids: string[] = []
      for (const ms of [30, 10, 20, 40]) ids.push((await publish(ms)).deliveryIds[0]!)
      const { deliveries } = await claim(100, { roomOfOthers: 2 })
      expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set([ids[1], ids[2]]))
    })

    test('respects the capacity of each endpoint', async () => {
      const { addEndpoint, publish, claim } = helpers()
      for (const id of ['we_a', 'we_b', 'we_c', 'we_d']) await addEndpoint(id)
      for (let ms = 0; ms < 6; ms++) await publish(ms)
      const rooms = new Map([['we_b', 0], ['we_c', 5]])
      const { deliveries } = await claim(100, { rooms, roomOfOthers: 2 })
      expect(perLane(deliveries)).toEqual({ we_a: 2, we_c: 5, we_d: 2 })
    })

    test('stops at its count and says where to continue, until every lane had its turn', async () => {
      const { addEndpoint, publish, claim } = helpers()
      for (const id of ['we_a', 'we_b', 'we_c', 'we_d', 'we_e']) await addEndpoint(id)
      for (let ms = 0; ms < 3; ms++) await publish(ms)
      const served: Record<string, number>[] = []
      let afterLane = ''
      do {
        const claimed = await claim(100, { count: 4, roomOfOthers: 2, afterLane })
        served.push(perLane(claimed.deliveries))
        afterLane = claimed.nextAfterLane
      } while (afterLane !== '')
      expect(served).toEqual([{ we_a: 2, we_b: 2 }, { we_c: 2, we_d: 2 }, { we_e: 2 }])
      expect(perLane((await claim(100)).deliveries)).toEqual({ we_a: 1, we_b: 1, we_c: 1, we_d: 1, we_e: 1 })
    })

    test('wraps around when the count ends with the last lane', async () => {
      const { addEndpoint, publish, claim } = helpers()
      for (const id of ['we_a', 'we_b']) await addEndpoint(id)
      await publish(0)
      const first = await claim(10, { count: 2 })
      expect(first.deliveries).toHaveLength(2)
      const rest = await claim(10, { count: 2, afterLane: first.nextAfterLane })
      expect(rest).toEqual({ deliveries: [], nextAfterLane: '' })
    })

    test('orders lanes by code point', async () => {
      const { addEndpoint, publish, claim } = helpers()
      for (const id of ['we_b', 'we_B', 'we_a', 'we_9']) await addEndpoint(id)
      await publish(0)
      const { deliveries, nextAfterLane } = await claim(10, { count: 2 })
      expect(perLane(deliveries)).toEqual({ we_9: 1, we_B: 1 })
      expect(nextAfterLane).toBe('we_B')
      expect(perLane((await claim(10, { afterLane: nextAfterLane })).deliveries)).toEqual({ we_a: 1, we_b: 1 })
    })

    test('finds due deliveries behind a backlog of leased ones', async () => {
      const { addEndpoint, publish, claim } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 20; ms++) await publish(ms)
      expect((await claim(100, { roomOfOthers: 15 })).deliveries).toHaveLength(15)
      expect((await claim(100, { roomOfOthers: 3 })).deliveries).toHaveLength(3)
    })

    test('skips deleted endpoints and organizations with webhooks turned off', async () => {
      const { addEndpoint, publish, claim, deliveries } = helpers()
      await addEndpoint('we_a')
      await addEndpoint('we_b', { organizationId: 'org_2' })
      await addEndpoint('we_c')
      await publish(0)
      await publish(0, { organizationId: 'org_2' })
      await deliveries.deleteEndpoint('we_a', at(1))
      await deliveries.switchWebhooks('org_2', false)
      expect(perLane((await claim(10)).deliveries)).toEqual({ we_c: 1 })
      await deliveries.switchWebhooks('org_2', true)
      expect(perLane((await claim(10)).deliveries)).toEqual({ we_b: 1 })
    })

    test('takes only tests of a disabled endpoint', async () => {
      const { addEndpoint, publish, claim, deliveries } = helpers()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      await publish(1)
      const test = await publish(2, { testOf: 'we_a' })
      const claimed = (await claim(10)).deliveries
      expect(claimed.map(({ id }) => id)).toEqual(test.deliveryIds)
    })

    test('takes nothing from a rolled-back transaction', async () => {
      const { addEndpoint, deliveries, claim } = helpers()
      await addEndpoint('we_a')
      await deliveries.publish({ organizationId, content: content('never'), now: at(0), isRolledBack: true })
      expect((await claim(10)).deliveries).toEqual([])
      expect(await deliveries.deliveries()).toEqual([])
    })
  })

  describe('a lease', () => {
    test('is exclusive until it expires; then the attempt is claimed again under a higher lease number', async () => {
      const { addEndpoint, publish, claim } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      expect((await claim(10)).deliveries[0]).toMatchObject({ leaseNumber: 1, attemptNumber: 1 })
      expect((await claim(10 + deliveryLeaseMs - 1, { workerId: 'worker_2' })).deliveries).toEqual([])
      const again = await claim(10 + deliveryLeaseMs, { workerId: 'worker_2' })
      expect(again.deliveries[0]).toMatchObject({ leaseNumber: 2, attemptNumber: 1 })
    })

    test('can be claimed at once after a release', async () => {
      const { addEndpoint, publish, claim, store, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(10)).deliveries
      await store.release([claimed!])
      expect(await row(claimed!.id)).toMatchObject({ state: 'pending', attemptCount: 0, leaseOwner: null, leaseExpiresAt: null })
      expect((await claim(20)).deliveries[0]).toMatchObject({ id: claimed!.id, leaseNumber: 2, attemptNumber: 1 })
    })

    test('can only be released by its holder', async () => {
      const { addEndpoint, publish, claim, store } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [first] = (await claim(0)).deliveries
      await claim(deliveryLeaseMs, { workerId: 'worker_2' })
      await store.release([first!])
      expect((await claim(deliveryLeaseMs + 2)).deliveries).toEqual([])
    })

    test('accepts an empty release', async () => {
      const { store, addEndpoint, publish, claim } = helpers()
      await store.release([])
      await addEndpoint('we_a')
      await publish(0)
      expect((await claim(0)).deliveries).toHaveLength(1)
    })

    test('ends with the attempt: a retry is claimed when due, under the next number', async () => {
      const { addEndpoint, publish, claim, recordOne } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      expect(await recordOne(claimed!, retry, 100)).toBe(true)
      expect((await claim(100 + deliveryWaitsMs[0] - 1)).deliveries).toEqual([])
      const [again] = (await claim(100 + deliveryWaitsMs[0])).deliveries
      expect(again).toMatchObject({ id: claimed!.id, leaseNumber: 2, attemptNumber: 2 })
      expect(await recordOne(again!, delivered, 200 + deliveryWaitsMs[0])).toBe(true)
    })
  })
}
