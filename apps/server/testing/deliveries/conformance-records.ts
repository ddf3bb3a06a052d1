import { describe, expect, test } from 'vitest'
import { at, creator, delivered, exhausted, type DeliveryHelpers, recordOf, retry } from './conformance-helpers.ts'
import { deliveryAttemptsMax, deliveryLeaseMs, deliveryWaitsMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

export function testRecords(helpers: () => DeliveryHelpers): void {
  describe('a record', () => {
    test.each([
      { decision: delivered, row: { state: 'delivered', nextAttemptAt: null } },
      { decision: exhausted, row: { state: 'exhausted', nextAttemptAt: null } },
      { decision: retry, row: { state: 'pending', nextAttemptAt: at(50 + deliveryWaitsMs[0]) } },
    ])('stores the outcome ($decision.state)', async ({ decision, row: expected }) => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      expect(await recordOne(claimed!, decision, 50)).toBe(true)
      const after = await row(claimed!.id)
      expect(after).toMatchObject({ ...expected, attemptCount: 1, attemptsLogged: 1, leaseOwner: null, leaseExpiresAt: null })
    })

    test('that is late counts its wait from the end of the attempt', async () => {
      const { addEndpoint, publish, claim, store, deliveries, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      deliveries.setTime(at(20_000))
      await store.record([{ ...recordOf(claimed!, retry, 5000), endedAgoMs: 15_000 }])
      expect(await row(claimed!.id)).toMatchObject({ nextAttemptAt: at(5000 + deliveryWaitsMs[0]) })
    })

    test('counts once, however often it is sent', async () => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      expect(await recordOne(claimed!, retry, 50)).toBe(true)
      const once = await row(claimed!.id)
      expect(await recordOne(claimed!, delivered, 60)).toBe(false)
      expect(await row(claimed!.id)).toEqual(once)
    })

    test('under a lease that was claimed by another worker is ignored', async () => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [first] = (await claim(0)).deliveries
      const [second] = (await claim(deliveryLeaseMs, { workerId: 'worker_2' })).deliveries
      const before = await row(first!.id)
      expect(await recordOne(first!, delivered, deliveryLeaseMs + 1)).toBe(false)
      expect(await row(first!.id)).toEqual(before)
      expect(await recordOne(second!, retry, deliveryLeaseMs + 2)).toBe(true)
    })

    test('under an expired lease that was not claimed again counts', async () => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      expect(await recordOne(claimed!, delivered, deliveryLeaseMs * 3)).toBe(true)
      expect(await row(claimed!.id)).toMatchObject({ state: 'delivered', attemptCount: 1 })
    })

    test('with an unexpected attempt number is ignored', async () => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      for (const attemptNumber of [0, 2, 8]) {
        expect(await recordOne({ ...claimed!, attemptNumber }, delivered, 10)).toBe(false)
      }
      expect(await row(claimed!.id)).toMatchObject({ state: 'pending', attemptCount: 0 })
      expect(await recordOne(claimed!, delivered, 10)).toBe(true)
    })

    test('in a batch is independent of the others', async () => {
      const { addEndpoint, publish, claim, store, row } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 4; ms++) await publish(ms)
      const claimed = (await claim(10)).deliveries
      const [a, b, c, d] = claimed
      const { recorded } = await store.record([
        recordOf(a!, delivered, 20),
        recordOf({ ...b!, leaseNumber: 7 }, delivered, 20),
        recordOf(c!, exhausted, 20),
        recordOf({ ...d!, attemptNumber: 3 }, exhausted, 20),
      ])
      expect(recorded).toEqual(new Set([a!.id, c!.id]))
      const states = await Promise.all(claimed.map(async ({ id }) => (await row(id)).state))
      expect(states).toEqual(['delivered', 'pending', 'exhausted', 'pending'])
    })

    test('is accepted for eight attempts, and there is no ninth', async () => {
      const { addEndpoint, publish, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      let ms = 0
      for (let number = 1; number <= deliveryAttemptsMax; number++) {
        const [claimed] = (await claim(ms)).deliveries
        expect(claimed).toMatchObject({ attemptNumber: number })
        expect(await recordOne(claimed!, number < deliveryAttemptsMax ? retry : exhausted, ms)).toBe(true)
        ms += deliveryWaitsMs[0]
      }
      expect((await claim(ms + 1e10)).deliveries).toEqual([])
      const [delivery] = await helpers().deliveries.deliveries()
      expect(await row(delivery!.id)).toMatchObject({ state: 'exhausted', attemptCount: 8, attemptsLogged: 8 })
    })
  })

  describe("an endpoint's failure count", () => {
    test('grows with every exhausted event and is reset by a success', async () => {
      const { addEndpoint, exhaust, publish, claimAndRecord, endpoint } = helpers()
      await addEndpoint('we_a')
      await exhaust(0)
      await exhaust(1)
      expect((await endpoint('we_a')).consecutiveFailures).toBe(2)
      await publish(2)
      await claimAndRecord(2, delivered)
      expect((await endpoint('we_a')).consecutiveFailures).toBe(0)
      await exhaust(3)
      expect((await endpoint('we_a')).consecutiveFailures).toBe(1)
    })

    test('is not changed by a failed attempt before the last', async () => {
      const { addEndpoint, publish, claimAndRecord, endpoint } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 6; ms++) await publish(ms)
      await claimAndRecord(10, retry)
      expect(await endpoint('we_a')).toMatchObject({ state: 'enabled', consecutiveFailures: 0 })
    })

    test("is not changed by another endpoint's success", async () => {
      const { addEndpoint, publish, exhaust, claim, recordOne, endpoint } = helpers()
      await addEndpoint('we_a')
      await exhaust(0)
      await addEndpoint('we_b')
      await publish(1)
      for (const claimed of (await claim(1)).deliveries) {
        expect(await recordOne(claimed, claimed.endpointId === 'we_b' ? delivered : exhausted, 1)).toBe(true)
      }
      expect(await endpoint('we_a')).toMatchObject({ consecutiveFailures: 2 })
      expect(await endpoint('we_b')).toMatchObject({ consecutiveFailures: 0 })
    })

    test('warns the creator once at three', async () => {
      const { addEndpoint, exhaust, deliveries } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 2; ms++) await exhaust(ms)
      expect(await deliveries.notifications()).toEqual([])
      for (let ms = 2; ms < 4; ms++) await exhaust(ms)
      const notifications = await deliveries.notifications()
      expect(notifications).toEqual([{ id: notifications[0]!.id, kind: 'endpoint_failing', userId: creator, endpointId: 'we_a' }])
    })

    test('disables the endpoint and notifies the creator once at five', async () => {
      const { addEndpoint, exhaust, publish, claim, store, deliveries, endpoint } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 4; ms++) await exhaust(ms)
      expect(await endpoint('we_a')).toMatchObject({ state: 'enabled', consecutiveFailures: 4 })
      // Several at once: events after the fifth change nothing.
      for (let ms = 4; ms < 7; ms++) await publish(ms)
      const claimed = (await claim(10)).deliveries
      await store.record(claimed.map((delivery) => recordOf(delivery, exhausted, 10)))
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
      const kinds = (await deliveries.notifications()).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(['endpoint_disabled', 'endpoint_failing'])
    })

    test('is reset when the endpoint is enabled again', async () => {
      const { addEndpoint, exhaust, deliveries, endpoint } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 5; ms++) await exhaust(ms)
      await deliveries.enableEndpoint('we_a', { now: at(10), sendHeld: false })
      for (let ms = 11; ms < 15; ms++) await exhaust(ms)
      expect(await endpoint('we_a')).toMatchObject({ state: 'enabled', consecutiveFailures: 4 })
      await exhaust(15)
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
      expect((await deliveries.notifications()).filter(({ kind }) => kind === 'endpoint_disabled')).toHaveLength(2)
    })

    test('is ignored for a deleted endpoint', async () => {
      const { addEndpoint, publish, claim, recordOne, deliveries } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 5; ms++) await publish(ms)
      const claimed = (await claim(10)).deliveries
      await deliveries.deleteEndpoint('we_a', at(11))
      for (const delivery of claimed) expect(await recordOne(delivery, exhausted, 12)).toBe(true)
      expect(await deliveries.notifications()).toEqual([])
    })
  })
}
