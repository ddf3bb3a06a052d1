import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import { clockAhead } from './clock-ahead.ts'
import { countPending, expectAllArrived, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { lostLeases } from './lease-log.ts'
import type { Publisher } from './publisher.ts'
import { type Endpoint, type NamedProcess, startWorld, type World } from './world.ts'

let world: World
let receiver: HealthyReceiver
let publisher: Publisher
let endpoints: Endpoint[]
/** The living workers. Starting one takes a while, so each test reuses those of the one before. */
let workers: NamedProcess[] = []
const clockOffMs = 10 * 60_000

beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl') })
})
afterAll(() => world?.close())

beforeEach(async () => {
  receiver = await startHealthyReceiver(world)
  publisher = world.newPublisher()
  endpoints = []
})
afterEach(async () => {
  await world.removeEndpoints(endpoints)
  await receiver.close()
})

async function addEndpoints(count: number) {
  for (let number = 0; number < count; number++) {
    endpoints.push(await world.addEndpoint({ url: receiver.urlOf(`/${number}`) }))
  }
}

async function haveWorkers(count: number) {
  const more = Array.from({ length: count - workers.length }, (_, index) =>
    // Their machines disagree about the time by more than a lease lasts.
    world.startWorker({ environment: clockAhead(index % 2 === 0 ? clockOffMs : -clockOffMs) }),
  )
  workers.push(...(await Promise.all(more)))
}

const arrived = () =>
  expectAllArrived(world, { endpoints, acknowledged: publisher.acknowledged, requests: receiver.requests })

test('three workers on one PostgreSQL deliver every event exactly once', async () => {
  await addEndpoints(4)
  await haveWorkers(3)
  await publisher.publish({ count: 400 })
  await untilNothingPending(world.store.db, endpoints)
  expect((await arrived()).size).toBe(0)
})

test('workers stopped under load finish what they started and leave the rest to others', async () => {
  // Slow responses keep something in flight.
  await receiver.close()
  receiver = await startHealthyReceiver({ ...world, afterMs: 100 })
  await addEndpoints(4)
  await haveWorkers(2)
  const stopping = workers.splice(0)
  const published = publisher.publish({ count: 300 })
  await receiver.untilReceived(200)
  const ends = await Promise.all(stopping.map((worker) => worker.stop('SIGTERM')))
  expect(ends).toEqual(stopping.map(() => ({ code: 0, signal: null })))
  await published
  // The backlog is still there, and none of it is leased.
  const { pending, leased } = await countPending(world.store.db, endpoints)
  expect(pending).toBeGreaterThan(0)
  expect(leased).toBe(0)

  await haveWorkers(1)
  await untilNothingPending(world.store.db, endpoints)
  expect((await arrived()).size).toBe(0)
  const names = new Set(stopping.map(({ name }) => name))
  expect((await lostLeases(world.store.db)).filter(({ process }) => names.has(process))).toEqual([])
})
