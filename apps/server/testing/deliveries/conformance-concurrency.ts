import { describe, expect, test } from 'vitest'
import { delivered, exhausted, type DeliveryHelpers, recordOf } from './conformance-helpers.ts'

export function testConcurrency(helpers: () => DeliveryHelpers): void {
  describe('many workers at once', () => {
    test('claim each delivery once', async () => {
      const { addEndpoint, publish, claim, deliveries } = helpers()
      for (const id of ['we_a', 'we_b', 'we_c']) await addEndpoint(id)
      for (let ms = 0; ms < 60; ms++) await publish(ms)
      const workers = Array.from({ length: 8 }, (_, index) => `worker_${index}`)
      const claimed = await Promise.all(
        workers.map(async (workerId) => {
          const own: { id: string; workerId: string }[] = []
          // A claim may return nothing while another locks the rows; the rest is claimed afterwards.
          for (let round = 0; round < 10; round++) {
            const taken = await claim(100, { workerId, count: 7, roomOfOthers: 3 })
            own.push(...taken.deliveries.map(({ id }) => ({ id, workerId })))
          }
          return own
        }),
      )
      const all = claimed.flat()
      all.push(...(await claim(100)).deliveries.map(({ id }) => ({ id, workerId: 'worker_1' })))
      expect(all).toHaveLength(180)
      expect(new Set(all.map(({ id }) => id)).size).toBe(180)
      const rows = new Map((await deliveries.deliveries()).map((row) => [row.id, row]))
      for (const { id, workerId } of all) expect(rows.get(id)).toMatchObject({ leaseOwner: workerId, leaseNumber: 1 })
    })

    test('disable an endpoint once, however many of its events exhaust at the same time', async () => {
      const { addEndpoint, publish, claim, store, deliveries, endpoint } = helpers()
      await addEndpoint('we_a')
      for (let ms = 0; ms < 8; ms++) await publish(ms)
      const claimed = (await claim(10)).deliveries
      const answers = await Promise.all(claimed.map((delivery) => store.record([recordOf(delivery, exhausted, 20)])))
      expect(answers.map(({ recorded }) => recorded.size)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
      expect(await endpoint('we_a')).toMatchObject({ state: 'disabled', consecutiveFailures: 5 })
      const kinds = (await deliveries.notifications()).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(['endpoint_disabled', 'endpoint_failing'])
    })

    test('record successes and exhaustions of the same endpoints without losses or deadlocks', async () => {
      const { addEndpoint, publish, claim, store, deliveries } = helpers()
      for (const id of ['we_a', 'we_b', 'we_c', 'we_d']) await addEndpoint(id)
      for (let ms = 0; ms < 30; ms++) await publish(ms)
      const claimed = (await claim(100)).deliveries
      const ofWorker = (index: number) => claimed.filter((_, at) => at % 4 === index)
      const answers = await Promise.all(
        [0, 1, 2, 3].map((index) =>
          store.record(
            ofWorker(index).map((delivery, at) => recordOf(delivery, (at + index) % 3 === 0 ? exhausted : delivered, 200)),
          ),
        ),
      )
      expect(answers.reduce((sum, { recorded }) => sum + recorded.size, 0)).toBe(120)
      const rows = await deliveries.deliveries()
      expect(rows.filter(({ state }) => state === 'exhausted')).toHaveLength(40)
      expect(rows.filter(({ state, attemptCount }) => state === 'delivered' && attemptCount === 1)).toHaveLength(80)
    })

    test('record an attempt once, even if several hold the same lease', async () => {
      const { addEndpoint, publish, claim, store, row } = helpers()
      await addEndpoint('we_a')
      await publish(0)
      const [claimed] = (await claim(0)).deliveries
      const answers = await Promise.all(
        [delivered, exhausted, delivered, exhausted].map((decision) => store.record([recordOf(claimed!, decision, 10)])),
      )
      expect(answers.reduce((sum, { recorded }) => sum + recorded.size, 0)).toBe(1)
      expect(await row(claimed!.id)).toMatchObject({ attemptCount: 1, attemptsLogged: 1 })
    })
  })
}
