import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresServer, seededRandom, startPostgresServer } from '@querypost/server/testing'
import { expectAllArrived, expectInOrder, expectRepeatsOnlyForLostLeases, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { killWorkers } from './kill-workers.ts'
import { countTakenOver } from './lease-log.ts'
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

test('kill -9 twenty times under load loses nothing, repeats only what was in flight and keeps the order', async () => {
  const paths = ['/one', '/two', '/three', '/four']
  const endpoints = await Promise.all(paths.map((path) => world.addEndpoint({ url: receiver.urlOf(path), isOrdered: path === '/four' })))
  const workers = await Promise.all([world.startWorker(), world.startWorker()])
  const publisher = world.newPublisher()
  const isAhead = () => publisher.acknowledged.size * endpoints.length - receiver.requests.length > 1000
  const load = publisher.keepPublishing({ isAhead })
  const killed = await killWorkers({
    world,
    receiver,
    workers,
    kills: 20,
    requestsBetween: { min: 20, max: 800 },
    random: seededRandom('twenty kills'),
  })
  await load.stop()
  expect(killed).toHaveLength(20)
  await untilNothingPending(world.store.db, endpoints)
  // Others did not wait for all leases of the killed workers to expire.
  expect(await countTakenOver(world.store.db)).toBeGreaterThan(0)

  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })
  const arrivedIds = receiver.requests.filter(({ path }) => path === '/four').map(({ headers }) => headers['svc-webhook-id'])
  await expectInOrder(world, { endpointId: endpoints[3]!.id, arrivedIds })
  const figures = await expectRepeatsOnlyForLostLeases(world, { again, killed })
  report('killed twenty times', { events: acknowledged.size, requests: receiver.requests.length, ...figures })
})
