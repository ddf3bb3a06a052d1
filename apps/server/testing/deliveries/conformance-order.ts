import { describe, expect, test } from 'vitest'
import { at, content, delivered, type DeliveryHelpers, exhausted, recordOf, retry } from './conformance-helpers.ts'
import { deliveryLeaseMs, deliveryWaitsMs } from '../../src/domain/webhooks/sending/delivery-policy.ts'
import type { Claim } from '../../src/model/claimed-delivery.ts'

/** An endpoint that receives events in order gets those of a key one after the other. */
export function testOrder(helpers: () => DeliveryHelpers): void {
  const publishTo = async (ms: number, automationId = 'aut_1') => (await helpers().publish(ms, { content: content('', automationId) })).eventId
  /** Claims until nothing more is found, as a worker does. */
  async function claimAll(ms: number) {
    const found = await helpers().claim(ms)
    let last = found
    while (last.hasParked) {
      last = await helpers().claim(ms)
      found.deliveries.push(...last.deliveries)
    }
    return found
  }

  describe('an ordered endpoint', () => {
    test('gets the next event of a key when the one before it was delivered', async () => {
      const { addEndpoint, recordOne } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      const events = [await publishTo(0), await publishTo(1), await publishTo(2)]
      const arrived: string[] = []
      for (const ms of [10, 20, 30]) {
        const [head, ...others] = (await claimAll(ms)).deliveries
        expect(others).toEqual([])
        expect(eventIds(await claimAll(ms + 1))).toEqual([])
        arrived.push(head!.eventId)
        await recordOne(head!, delivered, ms + 2)
      }
      expect(arrived).toEqual(events)
      expect(eventIds(await claimAll(40))).toEqual([])
    })

    test('waits for the retries of an event, and for no other key', async () => {
      const { addEndpoint, recordOne } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      const [first, second, other] = [await publishTo(0), await publishTo(1), await publishTo(2, 'aut_2')]
      const claimed = await claimAll(10)
      expect(eventIds(claimed).toSorted()).toEqual([first, other].toSorted())
      for (const delivery of claimed.deliveries) await recordOne(delivery, delivery.eventId === first ? retry : delivered, 20)
      expect(eventIds(await claimAll(30))).toEqual([])
      const dueAt = 20 + deliveryWaitsMs[0]
      const [again] = (await claimAll(dueAt)).deliveries
      expect(again).toMatchObject({ eventId: first, attemptNumber: 2 })
      await recordOne(again!, exhausted, dueAt + 1)
      expect(eventIds(await claimAll(dueAt + 2))).toEqual([second])
    })

    test('waits for an event whose worker died', async () => {
      const { addEndpoint } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      const first = await publishTo(0)
      await publishTo(1)
      await claimAll(10)
      expect(eventIds(await claimAll(9 + deliveryLeaseMs))).toEqual([])
      expect(eventIds(await claimAll(10 + deliveryLeaseMs))).toEqual([first])
    })

    test('gets events released together, one of each key at a time', async () => {
      const { addEndpoint, deliveries, claimAndRecord } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      await deliveries.disableEndpoint('we_a', at(0))
      const events: string[] = []
      for (let ms = 1; ms <= 6; ms++) events.push(await publishTo(ms, ms % 2 === 0 ? 'aut_even' : 'aut_odd'))
      await deliveries.enableEndpoint('we_a', { now: at(10), sendHeld: true })
      events.push(await publishTo(11, 'aut_even'))
      const arrived: string[] = []
      for (let ms = 20; arrived.length < events.length; ms++) {
        const claimed = await claimAll(ms)
        expect(claimed.deliveries.length).toBeLessThanOrEqual(2)
        arrived.push(...eventIds(claimed))
        await helpers().store.record(claimed.deliveries.map((delivery) => recordOf(delivery, delivered, ms)))
      }
      const ofKey = (ids: string[], isEven: boolean) => ids.filter((id) => (events.indexOf(id) % 2 === 1 || id === events[6]) === isEven)
      expect(ofKey(arrived, true)).toEqual(ofKey(events, true))
      expect(ofKey(arrived, false)).toEqual(ofKey(events, false))
      expect(await claimAndRecord(100, delivered)).toEqual([])
    })

    test('does not wait for held events that were set aside', async () => {
      const { addEndpoint, deliveries } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      await deliveries.disableEndpoint('we_a', at(0))
      await publishTo(1)
      await deliveries.enableEndpoint('we_a', { now: at(2), sendHeld: false })
      const later = await publishTo(3)
      expect(eventIds(await claimAll(10))).toEqual([later])
    })

    test('gets a test at once', async () => {
      const { addEndpoint, publish } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      await publishTo(0)
      const { eventId } = await publish(1, { testOf: 'we_a' })
      expect(eventIds(await claimAll(10))).toContain(eventId)
    })

    test('waits behind another worker’s event, whose end makes the next one due', async () => {
      const { addEndpoint, claim, recordOne } = helpers()
      await addEndpoint('we_a', { isOrdered: true })
      await publishTo(0)
      const [head] = (await claim(10)).deliveries
      const second = await publishTo(20)
      expect(eventIds(await claim(21, { workerId: 'worker_2' }))).toEqual([])
      await recordOne(head!, delivered, 30)
      expect(eventIds(await claim(31, { workerId: 'worker_2' }))).toEqual([second])
    })
  })
}

const eventIds = ({ deliveries }: Claim) => deliveries.map(({ eventId }) => eventId)
