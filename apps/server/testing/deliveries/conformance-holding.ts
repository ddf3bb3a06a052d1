import { describe, expect, test } from 'vitest'
import { at, delivered, exhausted, type Hands, retry } from './conformance-hands.ts'
import { deliveryLeaseMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

export function testHolding(hands: () => Hands): void {
  /** An endpoint that its fifth exhausted event has disabled, with one delivery pending and one in a worker's hands. */
  async function disabled() {
    const { addEndpoint, exhaust, publish, claim, recordOne } = hands()
    await addEndpoint('we_a')
    for (let ms = 0; ms < 4; ms++) await exhaust(ms)
    for (const ms of [4, 5]) await publish(ms)
    const [fifth, inHand] = (await claim(10)).deliveries
    const [pendingId] = (await publish(20)).deliveryIds
    expect(await recordOne(fifth!, exhausted, 30)).toBe(true)
    return { pendingId: pendingId!, inHand: inHand! }
  }

  describe('disabling', () => {
    test('holds what is pending and leaves alone what is being sent', async () => {
      const { pendingId, inHand } = await disabled()
      const { row, claim } = hands()
      expect(await row(pendingId)).toMatchObject({ state: 'held', nextAttemptAt: null, attemptCount: 0 })
      expect(await row(inHand.id)).toMatchObject({ state: 'pending', leaseNumber: inHand.leaseNumber })
      expect((await claim(10 + deliveryLeaseMs)).deliveries).toEqual([])
    })

    test('leaves tests pending', async () => {
      const { addEndpoint, publish, deliveries, row, claim } = hands()
      await addEndpoint('we_a')
      const { deliveryIds } = await publish(0, { testOf: 'we_a' })
      await deliveries.disableEndpoint('we_a', at(1))
      await hands().holdLeftovers(2)
      expect(await row(deliveryIds[0]!)).toMatchObject({ state: 'pending' })
      expect((await claim(3)).deliveries).toHaveLength(1)
    })

    test('meanwhile, what is published is held', async () => {
      const { addEndpoint, publish, deliveries, row } = hands()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      const { deliveryIds } = await publish(1)
      expect(await row(deliveryIds[0]!)).toMatchObject({ state: 'held', nextAttemptAt: null })
    })

    test('a failed attempt that ends afterwards is counted and held', async () => {
      const { inHand } = await disabled()
      const { recordOne, row, endpoint } = hands()
      expect(await recordOne(inHand, retry, 40)).toBe(true)
      expect(await row(inHand.id)).toMatchObject({ state: 'held', attemptCount: 1, attemptsLogged: 1, nextAttemptAt: null })
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
    })

    test('a success that ends afterwards is a success, and does not enable', async () => {
      const { inHand } = await disabled()
      const { recordOne, row, endpoint } = hands()
      expect(await recordOne(inHand, delivered, 40)).toBe(true)
      expect(await row(inHand.id)).toMatchObject({ state: 'delivered', attemptCount: 1 })
      expect((await endpoint('we_a')).state).toBe('disabled')
    })

    test('an event that exhausts afterwards is not judged again', async () => {
      const { inHand } = await disabled()
      const { recordOne, endpoint, deliveries } = hands()
      expect(await recordOne(inHand, exhausted, 40)).toBe(true)
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
      expect(await deliveries.notifications()).toHaveLength(2)
    })

    test('a failed test at a disabled endpoint is tried again like any other', async () => {
      const { addEndpoint, publish, deliveries, claim, recordOne, row } = hands()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      await publish(1, { testOf: 'we_a' })
      const [claimed] = (await claim(2)).deliveries
      expect(await recordOne(claimed!, retry, 3)).toBe(true)
      expect(await row(claimed!.id)).toMatchObject({ state: 'pending', attemptCount: 1 })
    })
  })

  describe('leftovers', () => {
    test('of a worker that died are held when its lease is over', async () => {
      const { inHand } = await disabled()
      const { holdLeftovers, row } = hands()
      await holdLeftovers(10 + deliveryLeaseMs - 1)
      expect((await row(inHand.id)).state).toBe('pending')
      await holdLeftovers(10 + deliveryLeaseMs)
      const after = await row(inHand.id)
      expect(after).toMatchObject({ state: 'held', attemptCount: 0, leaseOwner: null, leaseExpiresAt: null, nextAttemptAt: null })
    })

    test.each([
      { decision: delivered, state: 'delivered' },
      { decision: exhausted, state: 'exhausted' },
      { decision: retry, state: 'held' },
    ])('what a slow worker still records of one as $decision.state counts', async ({ decision, state }) => {
      const { inHand } = await disabled()
      const { holdLeftovers, recordOne, row } = hands()
      await holdLeftovers(10 + deliveryLeaseMs)
      expect(await recordOne(inHand, decision, 60_000)).toBe(true)
      expect(await row(inHand.id)).toMatchObject({ state, attemptCount: 1 })
    })

    test('of enabled endpoints are none', async () => {
      const { addEndpoint, publish, holdLeftovers, deliveries } = hands()
      await addEndpoint('we_a')
      await publish(0)
      await holdLeftovers(10)
      expect((await deliveries.deliveries()).map(({ state }) => state)).toEqual(['pending'])
    })
  })

  describe('enabling', () => {
    test('sends what was held when told to, with its attempts counted on', async () => {
      const { inHand } = await disabled()
      const { recordOne, deliveries, claim } = hands()
      await recordOne(inHand, retry, 40)
      await deliveries.enableEndpoint('we_a', { now: at(50), sendHeld: true })
      const claimed = (await claim(50)).deliveries.map(({ attemptNumber }) => attemptNumber)
      expect(new Set(claimed)).toEqual(new Set([1, 2]))
    })

    test('and leaves it held when not', async () => {
      await disabled()
      const { deliveries, claim } = hands()
      await deliveries.enableEndpoint('we_a', { now: at(50), sendHeld: false })
      expect((await claim(10 + deliveryLeaseMs)).deliveries).toHaveLength(1)
    })
  })
}
