import { sql } from 'kysely'
import { expect } from 'vitest'
import { Webhook } from 'standardwebhooks'
import { verify } from '../../packages/webhooks/src/index.ts'
import type { Attempt } from '@querypost/server/model'
import type { Db } from '@querypost/server/store'
import type { Received } from '@querypost/server/testing'
import { leasesOf, lostLeases } from './lease-log.ts'
import { until } from './until.ts'
import type { Endpoint, World } from './world.ts'

/** A row of the deliveries table. */
export interface StoredDelivery {
  id: string
  eventId: string
  endpointId: string
  state: string
  attemptCount: number
  attempts: Attempt[]
  nextAttemptAt: Date | null
  body: string
}

export async function readDeliveries(db: Db, endpointIds: string[]): Promise<StoredDelivery[]> {
  const { rows } = await sql<StoredDelivery>`
    select delivery.id, event_id as "eventId", endpoint_id as "endpointId", state, attempt_count as "attemptCount",
      attempts, next_attempt_at as "nextAttemptAt", event.body
    from webhook_deliveries as delivery join webhook_events as event on event.id = delivery.event_id
    where endpoint_id = any (${endpointIds})`.execute(db)
  return rows
}

/** How many deliveries of the endpoints are pending, and how many are leased. */
export async function countPending(db: Db, endpoints: Endpoint[]): Promise<{ pending: number; leased: number }> {
  const endpointIds = endpoints.map(({ id }) => id)
  const { rows } = await sql<{ pending: number; leased: number }>`
    select count(*)::integer as pending, count(lease_owner)::integer as leased
    from webhook_deliveries where state = 'pending' and endpoint_id = any (${endpointIds})`.execute(db)
  return rows[0]!
}

export const untilNothingPending = (db: Db, endpoints: Endpoint[]) =>
  until(async () => (await countPending(db, endpoints)).pending === 0)

export const untilDelivered = (db: Db, deliveryIds: Iterable<string>) =>
  until(async () => {
    const { rows } = await sql`
      select from webhook_deliveries where id = any (${[...deliveryIds]}) and state <> 'delivered' limit 1`.execute(db)
    return rows.length === 0
  })

/**
 * Compares what arrived with what was promised, for endpoints with a healthy receiver:
 * - Every event whose commit was acknowledged is in the table, and every event in the table arrived at every endpoint.
 * - Every delivery is recorded as delivered by its first attempt.
 * - Every request, including repeats, has the bytes of the table and signatures that verify with two libraries.
 *
 * Returns the number of repeats for each delivery that arrived more than once.
 */
export async function expectAllArrived(
  world: World,
  options: { endpoints: Endpoint[]; acknowledged: Set<string>; requests: Received[] },
): Promise<Map<string, number>> {
  const { endpoints, acknowledged } = options
  const deliveries = await readDeliveries(world.store.db, endpoints.map(({ id }) => id))
  const events = new Set(deliveries.map(({ eventId }) => eventId))
  expectNone([...acknowledged].filter((id) => !events.has(id)))
  expect(deliveries.length).toBe(events.size * endpoints.length)
  expectNone(deliveries.filter((delivery) => !isDelivered(delivery)))

  const endpointAt = new Map(endpoints.map((endpoint) => [new URL(endpoint.url).pathname, endpoint]))
  const arrivals = Map.groupBy(options.requests, ({ path, headers }) =>
    key(endpointAt.get(path)!.id, headers['svc-webhook-id']!),
  )
  expectNone(deliveries.filter((delivery) => !arrivals.has(key(delivery.endpointId, delivery.eventId))))
  expect(arrivals.size).toBe(deliveries.length)

  const again = new Map<string, number>()
  for (const { id, endpointId, eventId, body } of deliveries) {
    const requests = arrivals.get(key(endpointId, eventId))!
    for (const request of requests) await expectGenuine(request, { body, secret: endpointAt.get(request.path)!.secret })
    if (requests.length > 1) again.set(id, requests.length - 1)
  }
  return again
}

const isDelivered = ({ state, attemptCount, attempts }: StoredDelivery) =>
  state === 'delivered' && attemptCount === 1 && attempts.length === 1

const key = (endpointId: string, eventId: string) => `${endpointId} ${eventId}`

/** Shows only the first two of what may be thousands. */
function expectNone(wrong: unknown[]) {
  expect({ count: wrong.length, first: wrong.slice(0, 2) }).toEqual({ count: 0, first: [] })
}

async function expectGenuine(request: Received, expected: { body: string; secret: string }) {
  const { body, headers } = request
  if (body.toString() !== expected.body) expect(body.toString()).toBe(expected.body)
  new Webhook(expected.secret).verify(body, headers)
  await verify({ body, headers, secret: expected.secret })
}

const sum = (counts: Iterable<number>): number => [...counts].reduce((total, count) => total + count, 0)

/**
 * Checks that every repeat was in flight when a worker was killed: each matches a lost lease of a killed process. A process that was not
 * killed has lost no lease.
 */
export async function expectRepeatsOnlyForLostLeases(world: World, options: { again: Map<string, number>; killed: string[] }) {
  const lost = await lostLeases(world.store.db)
  expectNone(lost.filter(({ process }) => !options.killed.includes(process)))
  const lostOf = Map.groupBy(lost, ({ deliveryId }) => deliveryId)
  const tooOften = [...options.again].filter(([deliveryId, count]) => count > (lostOf.get(deliveryId)?.length ?? 0))
  const [first] = tooOften
  if (first) expect({ count: tooOften.length, first, leases: await leasesOf(world.store.db, [first[0]]) }).toBe('no repeat without a lost lease')
  return { leasesLost: lost.length, again: sum(options.again.values()) }
}

/** Checks that the first arrivals of each key at an ordered endpoint follow the order of publication. */
export async function expectInOrder(
  world: World,
  { endpointId, arrivedIds }: { endpointId: string; arrivedIds: (string | undefined)[] },
): Promise<void> {
  const deliveries = await world.store.db
    .selectFrom('webhook_deliveries')
    .select(['event_id', 'order_key', 'order_number'])
    .where('endpoint_id', '=', endpointId)
    .execute()
  expectNone(deliveries.filter(({ order_key: key }) => key === null))
  const firstArrival = new Map<string | undefined, number>()
  for (const [index, id] of arrivedIds.entries()) if (!firstArrival.has(id)) firstArrival.set(id, index)
  for (const ofKey of Map.groupBy(deliveries, ({ order_key: key }) => key).values()) {
    const published = ofKey.toSorted((a, b) => Number(a.order_number) - Number(b.order_number)).map(({ event_id: id }) => id)
    const arrived = published.toSorted((a, b) => firstArrival.get(a)! - firstArrival.get(b)!)
    expect(arrived).toEqual(published)
  }
}
