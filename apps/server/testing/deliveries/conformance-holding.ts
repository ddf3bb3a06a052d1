import { describe, expect, test } from 'vitest'
import { at, delivered, exhausted, type DeliveryHelpers, retry } from './conformance-helpers.ts'
import { deliveryLeaseMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'

export function testHolding(helpers: () => DeliveryHelpers): void {
  /** An endpoint disabled by its fifth exhausted event, with one delivery pending and one leased to a worker. */
  async function disabled() {
    const { addEndpoint, exhaust, publish, claim, recordOne } = helpers()
    await addEndpoint('we_a')
    for (let ms = 0; ms < 4; ms++) await exhaust(ms)
    for (const ms of [4, 5]) await publish(ms)
    const [fifth, leased] = (await claim(10)).deliveries
    const [pendingId] = (await publish(20)).deliveryIds
    expect(await recordOne(fifth!, exhausted, 30)).toBe(true)
    return { pendingId: pendingId!, leased: leased! }
  }

  describe('disabling', () => {
    test('holds pending deliveries and leaves those being sent alone', async () => {
      const { pendingId, leased } = await disabled()
      const { row, claim } = helpers()
      expect(await row(pendingId)).toMatchObject({ state: 'held', nextAttemptAt: null, attemptCount: 0 })
      expect(await row(leased.id)).toMatchObject({ state: 'pending', leaseNumber: leased.leaseNumber })
      expect((await claim(10 + deliveryLeaseMs)).deliveries).toEqual([])
    })

    test('leaves tests pending', async () => {
      const { addEndpoint, publish, deliveries, row, claim } = helpers()
      await addEndpoint('we_a')
      const { deliveryIds } = await publish(0, { testOf: 'we_a' })
      await deliveries.disableEndpoint('we_a', at(1))
      await helpers().holdLeftovers(2)
      expect(await row(deliveryIds[0]!)).toMatchObject({ state: 'pending' })
      expect((await claim(3)).deliveries).toHaveLength(1)
    })

    test('holds deliveries published while the endpoint is disabled', async () => {
      const { addEndpoint, publish, deliveries, row } = helpers()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      const { deliveryIds } = await publish(1)
      expect(await row(deliveryIds[0]!)).toMatchObject({ state: 'held', nextAttemptAt: null })
    })

    test('counts and holds a failed attempt that ends afterwards', async () => {
      const { leased } = await disabled()
      const { recordOne, row, endpoint } = helpers()
      expect(await recordOne(leased, retry, 40)).toBe(true)
      expect(await row(leased.id)).toMatchObject({ state: 'held', attemptCount: 1, attemptsLogged: 1, nextAttemptAt: null })
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
    })

    test('records a success that ends afterwards without enabling the endpoint', async () => {
      const { leased } = await disabled()
      const { recordOne, row, endpoint } = helpers()
      expect(await recordOne(leased, delivered, 40)).toBe(true)
      expect(await row(leased.id)).toMatchObject({ state: 'delivered', attemptCount: 1 })
      expect((await endpoint('we_a')).state).toBe('disabled')
    })

    test('does not count an event that exhausts afterwards', async () => {
      const { leased } = await disabled()
      const { recordOne, endpoint, deliveries } = helpers()
      expect(await recordOne(leased, exhausted, 40)).toBe(true)
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
      expect(await deliveries.notifications()).toHaveLength(2)
    })

    test('retries a failed test at a disabled endpoint', async () => {
      const { addEndpoint, publish, deliveries, claim, recordOne, row } = helpers()
      await addEndpoint('we_a')
      await deliveries.disableEndpoint('we_a', at(0))
      await publish(1, { testOf: 'we_a' })
      const [claimed] = (await claim(2)).deliveries
      expect(await recordOne(claimed!, retry, 3)).toBe(true)
      expect(await row(claimed!.id)).toMatchObject({ state: 'pending', attemptCount: 1 })
    })
  })

  describe('leftovers', () => {
    test('of a dead worker are held when its lease expires', async () => {
      const { leased } = await disabled()
      const { holdLeftovers, row } = helpers()
      await holdLeftovers(10 + deliveryLeaseMs - 1)
      expect((await row(leased.id)).state).toBe('pending')
      await holdLeftovers(10 + deliveryLeaseMs)
      const after = await row(leased.id)
      expect(after).toMatchObject({ state: 'held', attemptCount: 0, leaseOwner: null, leaseExpiresAt: null, nextAttemptAt: null })
    })

    test.each([
      { decision: delivered, state: 'delivered' },
      { decision: exhausted, state: 'exhausted' },
      { decision: retry, state: 'held' },
    ])('accept a late record of a slow worker ($decision.state)', async ({ decision, state }) => {
      const { leased } = await disabled()
      const { holdLeftovers, recordOne, row } = helpers()
      await holdLeftovers(10 + deliveryLeaseMs)
      expect(await recordOne(leased, decision, 60_000)).toBe(true)
      expect(await row(leased.id)).toMatchObject({ state, attemptCount: 1 })
    })

    test('do not exist for enabled endpoints', async () => {
      const { addEndpoint, publish, holdLeftovers, deliveries } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      await holdLeftovers(10)
      expect((await deliveries.deliveries()).map(({ state }) => state)).toEqual(['pending'])
    })
  })

  describe('enabling', () => {
    test('sends held deliveries if requested and continues their attempt count', async () => {
      const { leased } = await disabled()
      const { recordOne, deliveries, claim } = helpers()
      await recordOne(leased, retry, 40)
      await deliveries.enableEndpoint('we_a', { now: at(50), sendHeld: true })
      const claimed = (await claim(50)).deliveries.map(({ attemptNumber }) => attemptNumber)
      expect(new Set(claimed)).toEqual(new Set([1, 2]))
    })

    test('leaves deliveries held otherwise', async () => {
      await disabled()
      const { deliveries, claim } = helpers()
      await deliveries.enableEndpoint('we_a', { now: at(50), sendHeld: false })
      expect((await claim(10 + deliveryLeaseMs)).deliveries).toHaveLength(1)
    })
  })
}
