import { afterAll, beforeAll, expect, test } from 'vitest'
import { deliveryLeaseMs } from '@querypost/server/background-work'
import { systemClock } from '@querypost/server/ports'
import { type PostgresServer, startPostgresServer } from '@querypost/server/testing'
import { expectAllArrived, untilDelivered, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { survivePostgresOutage } from './outage.ts'
import { report } from './report.ts'
import { startWorld, type World } from './world.ts'

let server: PostgresServer
let world: World
let receiver: HealthyReceiver

beforeAll(async () => {
  server = await startPostgresServer({ durable: true })
  world = await startWorld({ postgresUrl: server.url, isEmpty: true })
  receiver = await startHealthyReceiver(world)
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
  await server?.stop()
})

test('no event is lost when PostgreSQL is shut down or killed seven times, for up to longer than a lease', async () => {
  const paths = ['/one', '/two', '/three', '/four']
  const endpoints = await Promise.all(paths.map((path) => world.addEndpoint({ url: receiver.urlOf(path) })))
  const workers = await Promise.all([world.startWorker(), world.startWorker()])
  const publisher = world.newPublisher()
  const isAhead = () => publisher.acknowledged.size * endpoints.length - receiver.requests.length > 500
  const load = publisher.keepPublishing({ isAhead })
  const outage = { world, server, workers, receiver, endpoints, publisher }

  const outages = [
    { how: 'shutdown', awayMs: 5_000 },
    { how: 'crash', awayMs: 0 },
    { how: 'crash', awayMs: 1_000 },
    { how: 'shutdown', awayMs: deliveryLeaseMs + 5_000 },
    { how: 'crash', awayMs: 0 },
    { how: 'crash', awayMs: deliveryLeaseMs + 5_000 },
    { how: 'shutdown', awayMs: 0 },
  ] as const
  /** For each delivery, how many outages may have repeated it because its claim was lost or its lease expired. */
  const excused = new Map<string, number>()
  const afterCrash = new Set<string>()
  const afterLeases = new Set<string>()
  for (const { how, awayMs } of outages) {
    await receiver.untilReceived(receiver.requests.length + 500)
    const duringOutage = () => systemClock.sleep(awayMs)
    const unknown = await survivePostgresOutage({ ...outage, how, duringOutage })
    await untilDelivered(world.store.db, unknown)
    // After a shutdown shorter than a lease, the workers still hold their leases and record the outcome.
    if (how === 'shutdown' && awayMs < deliveryLeaseMs) continue
    for (const deliveryId of unknown) {
      excused.set(deliveryId, (excused.get(deliveryId) ?? 0) + 1)
      const reason = awayMs < deliveryLeaseMs ? afterCrash : afterLeases
      reason.add(deliveryId)
    }
  }
  await receiver.untilReceived(receiver.requests.length + 500)
  await load.stop()
  await untilNothingPending(world.store.db, endpoints)

  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })
  expect([...again].filter(([deliveryId, count]) => count > (excused.get(deliveryId) ?? 0))).toEqual([])
  report('PostgreSQL away seven times', {
    events: acknowledged.size,
    'transactions refused': publisher.failureCount(),
    'in flight at short crashes': afterCrash.size,
    'of these came again': [...afterCrash].filter((id) => again.has(id)).length,
    'in flight when away for longer than a lease': afterLeases.size,
    'of them came again': [...afterLeases].filter((id) => again.has(id)).length,
  })
})
