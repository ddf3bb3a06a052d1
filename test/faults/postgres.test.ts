import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '@querypost/server/ports'
import { type PostgresServer, startPostgresServer } from '@querypost/server/testing'
import { expectAllArrived, untilDelivered, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { expireLeasesOf } from './lease-log.ts'
import { survivePostgresOutage } from './outage.ts'
import { startWorld, type World } from './world.ts'

let server: PostgresServer
let world: World
let receiver: HealthyReceiver

beforeAll(async () => {
  server = await startPostgresServer({ durable: true })
  world = await startWorld({ postgresUrl: server.url })
  receiver = await startHealthyReceiver(world)
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
  await server?.stop()
})

test('nothing acknowledged is lost when PostgreSQL is shut down and then killed under load', async () => {
  const endpoints = await Promise.all(['/one', '/two'].map((path) => world.addEndpoint({ url: receiver.urlOf(path) })))
  const workers = await Promise.all([world.startWorker(), world.startWorker()])
  const publisher = world.newPublisher()
  const isAhead = () => publisher.acknowledged.size * endpoints.length - receiver.requests.length > 300
  const load = publisher.keepPublishing({ isAhead })
  const outage = { world, server, workers, receiver, endpoints, publisher }

  await receiver.untilReceived(300)
  // When PostgreSQL is back, the workers record what they could not record before.
  await untilDelivered(world.store.db, await survivePostgresOutage({ ...outage, how: 'shutdown' }))
  await receiver.untilReceived(receiver.requests.length + 300)
  const atCrash = await survivePostgresOutage({ ...outage, how: 'crash' })
  await receiver.untilReceived(receiver.requests.length + 300)
  await load.stop()

  // A claim may have been committed without a response to its worker. Stopped workers have recorded everything they know, so the
  // remaining leases wait for their expiry; see `expireLeasesOf` for why that may happen now.
  for (const worker of workers) expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  await expireLeasesOf(world.store.db, { processes: workers.map(({ name }) => name), now: systemClock.now() })
  await world.startWorker()
  await untilNothingPending(world.store.db, endpoints)

  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })
  // Only a crash loses the latest claims.
  expect([...again].filter(([deliveryId, count]) => count > 1 || !atCrash.has(deliveryId))).toEqual([])
})
