import { describe, expect, test } from 'vitest'
import { at, content, delivered, type Hands, organizationId, perLane, retry } from './conformance-hands.ts'
import { deliveryLeaseMs, deliveryWaitsMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

export function testClaims(hands: () => Hands): void {
  describe('a claim', () => {
    test('gives all that an attempt needs', async () => {
      const { addEndpoint, publish, claim } = hands()
      await addEndpoint('we_a')
      const { eventId, deliveryIds } = await publish(0)
      const { deliveries, nextAfterLane } = await claim(5)
      expect(nextAfterLane).toBe('')
      expect(deliveries).toHaveLength(1)
      const { body, secret, ...rest } = deliveries[0]!
      expect(rest).toEqual({
        id: deliveryIds[0],
        leaseNumber: 1,
        attemptNumber: 1,
        eventId,
        endpointId: 'we_a',
        organizationId,
        url: 'https://we-a.example/hook',
      })
      expect(Buffer.from(secret).toString()).toBe('sealed we_a')
      expect(JSON.parse(body)).toMatchObject({ id: eventId, createdAt: at(0).toISOString() })
    })

    test('takes nothing that is not due', async () => {
      const { addEndpoint, publish, claim } = hands()
      await addEndpoint('we_a')
      await publish(1000)
      expect((await claim(999)).deliveries).toEqual([])
      expect((await claim(1000)).deliveries).toHaveLength(1)
    })

    test('takes from each lane what fell due first', async () => {
      const { addEndpoint, publish, claim } = hands()
      await addEndpoint('we_a')
      const ids: string[] = []
      for (const ms of [30, 10, 20, 40]) ids.push((await publish(ms)).deliveryIds[0]!)
      const { deliveries } = await claim(100, { roomOfOthers: 2 })
      expect(new Set(deliveries.map(({ id }) => id))).toEqual(new Set([ids[1], ids[2]]))
    })

    test('gives each endpoint its room and the others theirs', async () => {
      const { addEndpoint, publish, claim } = hands()
      for (const id of ['we_a', 'we_b', 'we_c', 'we_d']) await addEndpoint(id)
      for (let ms = 0; ms < 6; ms++) await publish(ms)
      const rooms = new Map([['we_b', 0], ['we_c', 5]])
      const { deliveries } = await claim(100, { rooms, roomOfOthers: 2 })
      expect(perLane(deliveries)).toEqual({ we_a: 2, we_c: 5, we_d: 2 })
    })

    test('ends at its count and says where to go on, until every lane had its turn', async () => {
      const { addEndpoint, publish, claim } = hands()
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

    test('wraps when the last lane was served by the last of the count', async () => {
      const { addEndpoint, publish, claim } = hands()
      for (const id of ['we_a', 'we_b']) await addEndpoint(id)
      await publish(0)
      const first = await claim(10, { count: 2 })
      expect(first.deliveries).toHaveLength(2)
      const rest = await claim(10, { count: 2, afterLane: first.nextAfterLane })
      expect(rest).toEqual({ deliveries: [], nextAfterLane: '' })
    })

    test('orders lanes by code points, as programs do', async () => {
      const { addEndpoint, publish, claim } = hands()
      for (const id of ['we_b', 'we_B', 'we_a', 'we_9']) await addEndpoint(id)
      await publish(0)
      const { deliveries, nextAfterLane } = await claim(10, { count: 2 })
      expect(perLane(deliveries)).toEqual({ we_9: 1, we_B: 1 })
      expect(nextAfterLane).toBe('we_B')
      expect(perLane((await claim(10, { afterLane: nextAfterLane })).deliveries)).toEqual({ we_a: 1, we_b: 1 })
    })

    test('a backlog of leased ones does not hide what else is due in its lane', async () => {
      const { addEndpoint, publish, claim } = hands()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 20; ms++) await publish(ms)
      expect((await claim(100, { roomOfOthers: 15 })).deliveries).toHaveLength(15)
      expect((await claim(100, { roomOfOthers: 3 })).deliveries).toHaveLength(3)
    })

    test('leaves alone what deleted endpoints and switched-off organizations have', async () => {
      const { addEndpoint, publish, claim, deliveries } = hands()
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

    test('takes tests of a disabled endpoint, and nothing else of it', async () => {
      const { addEndpoint, publish, claim, deliveries } = hands()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      await publish(1)
      const test = await publish(2, { testOf: 'we_a' })
      const claimed = (await claim(10)).deliveries
      expect(claimed.map(({ id }) => id)).toEqual(test.deliveryIds)
    })

    test('takes nothing that a transaction has not brought about', async () => {
      const { addEndpoint, deliveries, claim } = hands()
      await addEndpoint('we_a')
      await deliveries.publish({ organizationId, content: content('never'), now: at(0), isRolledBack: true })
      expect((await claim(10)).deliveries).toEqual([])
      expect(await deliveries.deliveries()).toEqual([])
    })
  })

  describe('a lease', () => {
    test('keeps others away until it expires; then the attempt is given out again under a higher number', async () => {
      const { addEndpoint, publish, claim } = hands()
      await addEndpoint('we_a')
      await publish(0)
      expect((await claim(10)).deliveries[0]).toMatchObject({ leaseNumber: 1, attemptNumber: 1 })
      expect((await claim(10 + deliveryLeaseMs - 1, { workerId: 'worker_2' })).deliveries).toEqual([])
      const again = await claim(10 + deliveryLeaseMs, { workerId: 'worker_2' })
      expect(again.deliveries[0]).toMatchObject({ leaseNumber: 2, attemptNumber: 1 })
    })

    test('given back, another may have it at once', async () => {
      const { addEndpoint, publish, claim, store, row } = hands()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(10)).deliveries
      await store.release([claimed!])
      expect(await row(claimed!.id)).toMatchObject({ state: 'pending', attemptCount: 0, leaseOwner: null, leaseExpiresAt: null })
      expect((await claim(20)).deliveries[0]).toMatchObject({ id: claimed!.id, leaseNumber: 2, attemptNumber: 1 })
    })

    test('is given back only by whoever has it', async () => {
      const { addEndpoint, publish, claim, store } = hands()
      await addEndpoint('we_a')
      await publish(0)
      const [first] = (await claim(0)).deliveries
      await claim(deliveryLeaseMs, { workerId: 'worker_2' })
      await store.release([first!])
      expect((await claim(deliveryLeaseMs + 2)).deliveries).toEqual([])
    })

    test('nothing given back is no mistake', async () => {
      const { store, addEndpoint, publish, claim } = hands()
      await store.release([])
      await addEndpoint('we_a')
      await publish(0)
      expect((await claim(0)).deliveries).toHaveLength(1)
    })

    test('ends with the attempt: a retry is claimed when it is due, under the next number', async () => {
      const { addEndpoint, publish, claim, recordOne } = hands()
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
