import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { settableClock, sqlDeliveries, sqlDeliveriesOn } from '../../../testing/deliveries/sql-deliveries.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { deliveryStoreConformance } from '../../../testing/deliveries/delivery-store-conformance.ts'
import { makeHelpers } from '../../../testing/deliveries/conformance-helpers.ts'

describe.each(storeKinds)('%s', (kind) => {
  deliveryStoreConformance({
    name: 'the SQL store',
    open: () => sqlDeliveriesOn((options) => openTestStore(kind, options)),
  })

  test('finds a delivery that was committed late within two seconds', async () => {
    const clock = settableClock()
    const { db, close } = await openTestStore(kind, { clock })
    const monotonicMs = () => clock.now().getTime()
    const deliveries = sqlDeliveries({ db, clock: { ...clock, monotonicMs }, random: seededRandom('late'), close })
    const { addEndpoint, publish, claim } = await makeHelpers(deliveries)
    await addEndpoint('we_a')
    expect((await claim(10_000)).deliveries).toEqual([])
    const { deliveryIds: late } = await publish(5000)
    const { deliveryIds: inTime } = await publish(9000)
    const idsOf = async (ms: number) => (await claim(ms)).deliveries.map(({ id }) => id)
    expect(await idsOf(10_001)).toEqual(inTime)
    expect(await idsOf(11_999)).toEqual([])
    expect(await idsOf(12_000)).toEqual(late)
    await close()
  })

  test('wakes notification listeners after the commit', async () => {
    const clock = settableClock()
    const { db, wakeups, close } = await openTestStore(kind, { clock })
    const deliveries = sqlDeliveries({ db, clock, random: seededRandom('wake-ups'), close })
    const { addEndpoint, exhaust } = await makeHelpers(deliveries)
    await addEndpoint('we_a')
    const seen = { notifications: [] as Promise<unknown[]>[], mail: [] as Promise<unknown[]>[] }
    for (const channel of ['notifications', 'mail'] as const) {
      wakeups.listen(channel, () => void seen[channel].push(deliveries.notifications()))
    }
    for (let ms = 0; ms < 3; ms += 1) await exhaust(ms)
    for (const channel of ['notifications', 'mail'] as const) {
      expect(await seen[channel].at(-1)).toMatchObject([{ kind: 'endpoint_failing' }])
    }
    await close()
  })
})
