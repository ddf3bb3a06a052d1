import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { settableClock, sqlDeliveries, sqlDeliveriesOn } from '../../../testing/deliveries/sql-deliveries.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { deliveryStoreConformance } from '../../../testing/deliveries/delivery-store-conformance.ts'
import { makeHelpers } from '../../../testing/deliveries/conformance-helpers.ts'
import type { Db } from '../db.ts'

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

  test('serves an endpoint that answers within the first claim, beside 1,000 that hang', async () => {
    const clock = settableClock()
    const { db, close } = await openTestStore(kind, { clock })
    const monotonicMs = () => clock.now().getTime()
    const deliveries = sqlDeliveries({ db, clock: { ...clock, monotonicMs }, random: seededRandom('beside'), close })
    const { addEndpoint, publish, claim } = await makeHelpers(deliveries)
    await addEndpoint('we_zzz')
    const { deliveryIds: [first] } = await publish(0)
    await addCopies(db, { of: first!, namePrefix: 'we_hanging_', count: 1000 })
    let afterLane = ''
    for (let ms = 1; ms <= 3; ms += 1) afterLane = (await claim(ms, { afterLane, roomOfOthers: 1 })).nextAfterLane
    expect(afterLane).toBe('')

    // All of them are in flight. Each claim visits the lane of the newest delivery, and a few lanes of a tour.
    const rooms = new Map(Array.from({ length: 1000 }, (_, index) => [`we_hanging_${index + 1}`, 0] as const))
    for (let ms = 4; ms <= 8; ms += 2) {
      const { deliveryIds } = await publish(ms)
      const found = await claim(ms + 1, { afterLane, rooms })
      expect(found.deliveries.map(({ id }) => id)).toEqual(deliveryIds)
      afterLane = found.nextAfterLane
      expect(afterLane).toMatch(/^we_hanging_/)
    }

    // A claim that likely lanes have used up is followed by one in the order of all lanes.
    await publish(10)
    await publish(10)
    const full = await claim(2_500, { rooms, count: 1 })
    expect(full).toMatchObject({ deliveries: [{ endpointId: 'we_zzz' }], nextAfterLane: '' })
    expect((await claim(2_501, { rooms })).nextAfterLane).toBe('we_hanging_548')
    await close()
  })

  test('between two tours through many lanes, visits those of the newest deliveries and unfinished ones, if they have room', async () => {
    const clock = settableClock()
    const { db, close } = await openTestStore(kind, { clock })
    // The first tour takes some time, so that a rest follows.
    const time = { nowMs: 0, stepMs: 100 }
    const deliveries = sqlDeliveries({ db, clock: { ...clock, monotonicMs: () => (time.nowMs += time.stepMs) }, random: seededRandom('rest'), close })
    const { addEndpoint, publish, claim } = await makeHelpers(deliveries)
    await addEndpoint('we_zzz')
    const { deliveryIds: [first] } = await publish(0)
    await addCopies(db, { of: first!, namePrefix: 'we_', count: 400 })
    const none = { roomOfOthers: 0 }
    expect((await claim(1, none)).deliveries).toEqual([])
    time.stepMs = 0
    const { deliveryIds: [newest] } = await publish(2)
    expect(await claim(3, none)).toMatchObject({ deliveries: [], nextAfterLane: '', othersInMs: expect.any(Number) as number })
    const idsOf = (found: { deliveries: { id: string }[] }) => found.deliveries.map(({ id }) => id).toSorted()
    expect(idsOf(await claim(4, { ...none, unfinished: ['we_1'], rooms: new Map([['we_1', 3], ['we_10', 3]]) }))).toEqual(['dlv_0_1'])
    expect(idsOf(await claim(5, { roomOfOthers: 2 }))).toEqual(expect.arrayContaining([first, newest]))
    await close()
  })

  test('finds what is due within one claim, beside 1,000 endpoints that wait for a retry', async () => {
    const clock = settableClock()
    const { db, close } = await openTestStore(kind, { clock })
    const monotonicMs = () => clock.now().getTime()
    const deliveries = sqlDeliveries({ db, clock: { ...clock, monotonicMs }, random: seededRandom('waiting'), close })
    const { addEndpoint, publish, claim } = await makeHelpers(deliveries)
    await addEndpoint('we_zzz')
    const { deliveryIds: [first] } = await publish(0)
    await sql`
      insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
      select 'we_waiting_' || i, organization_id, url, '{}', state, secret, created_by, created_at, updated_at
      from webhook_endpoints cross join generate_series(1, 1000) as i where id = 'we_zzz'`.execute(db)
    await sql`
      insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at, attempt_count)
      select 'dlv_' || i, event_id, 'we_waiting_' || i, state, is_test, created_at, next_attempt_at + i * interval '1 second', 1
      from webhook_deliveries cross join generate_series(1, 1000) as i where id = ${first}`.execute(db)

    let afterLane = ''
    for (let ms = 1; ms <= 2; ms += 1) afterLane = (await claim(ms, { afterLane })).nextAfterLane
    expect(afterLane).toBe('')
    const { deliveryIds: [next] } = await publish(3)
    expect(await claim(3)).toMatchObject({ deliveries: [{ id: next }], nextAfterLane: '' })
    expect(await claim(1_003)).toMatchObject({ deliveries: [{ id: 'dlv_1' }], nextAfterLane: '' })

    // So many retries are due that all lanes are visited.
    const idsOf = (part: { deliveries: { id: string }[] }) => part.deliveries.map(({ id }) => id)
    const found: string[] = []
    let claims = 0
    do {
      claims += 1
      const part = await claim(600_002 + claims, { count: 1_000, afterLane })
      found.push(...idsOf(part))
      afterLane = part.nextAfterLane
    } while (afterLane !== '')
    expect(claims).toBe(3)
    // The leases of the first ones have expired.
    expect(found).toHaveLength(602)
    expect(new Set(found)).toEqual(new Set([first, next, ...Array.from({ length: 600 }, (_, index) => `dlv_${index + 1}`)]))
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

/** Adds endpoints like `we_zzz`, each with a delivery like the given one, but older. */
async function addCopies(db: Db, { of, namePrefix, count }: { of: string; namePrefix: string; count: number }) {
  await sql`
    insert into webhook_endpoints (id, organization_id, url, event_types, state, secret, created_by, created_at, updated_at)
    select ${namePrefix}::text || i, organization_id, url, '{}', state, secret, created_by, created_at, updated_at
    from webhook_endpoints cross join generate_series(1, ${count}::integer) as i where id = 'we_zzz'`.execute(db)
  await sql`
    insert into webhook_deliveries (id, event_id, endpoint_id, state, is_test, created_at, next_attempt_at)
    select 'dlv_0_' || i, event_id, ${namePrefix}::text || i, state, is_test, created_at, next_attempt_at
    from webhook_deliveries cross join generate_series(1, ${count}::integer) as i where id = ${of}`.execute(db)
}
