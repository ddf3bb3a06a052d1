import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { hang, respond } from '@querypost/server/testing'
import { countPending, expectAllArrived, untilNothingPending } from './deliveries.ts'
import { startHealthyReceiver } from './healthy-receiver.ts'
import { type Endpoint, startWorld, type World } from './world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl') })
})
afterAll(() => world?.close())

test('every event arrives exactly once while workers are stopped and replaced under load', async () => {
  const receiver = await startHealthyReceiver({ ...world, afterMs: 50 })
  const paths = ['/one', '/two', '/three', '/four']
  const endpoints = await Promise.all(paths.map((path) => world.addEndpoint({ url: receiver.urlOf(path) })))
  const publisher = world.newPublisher()
  const isAhead = () => publisher.acknowledged.size * endpoints.length - receiver.requests.length > 500
  const load = publisher.keepPublishing({ isAhead })
  let workers = await Promise.all([world.startWorker(), world.startWorker()])
  for (let round = 0; round < 10; round++) {
    await receiver.untilReceived(receiver.requests.length + 300)
    const [oldest, ...others] = workers
    expect(await oldest.stop('SIGTERM')).toEqual({ code: 0, signal: null })
    workers = [...others, await world.startWorker()]
  }
  await load.stop()
  await untilNothingPending(world.store.db, endpoints)
  const { acknowledged } = publisher
  expect((await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })).size).toBe(0)
  await Promise.all(workers.map((worker) => worker.stop()))
  await world.removeEndpoints(endpoints)
  await receiver.close()
})

test('a worker with an endless backlog stops and leaves it to others', async () => {
  // More than it can have in flight: after each response there is another delivery to claim.
  const receiver = await startHealthyReceiver({ ...world, afterMs: 100 })
  const endpoints: Endpoint[] = []
  for (let number = 0; number < 40; number++) {
    endpoints.push(await world.addEndpoint({ url: receiver.urlOf(`/${number}`) }))
  }
  const publisher = world.newPublisher()
  await publisher.publish({ count: 200 })
  const worker = await world.startWorker()
  await receiver.untilReceived(2_000)
  expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  const left = await countPending(world.store.db, endpoints)
  expect(left.pending).toBeGreaterThan(0)
  expect(left.leased).toBe(0)

  const next = await world.startWorker()
  await untilNothingPending(world.store.db, endpoints)
  const { acknowledged } = publisher
  expect((await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })).size).toBe(0)
  await next.stop()
  await world.removeEndpoints(endpoints)
  await receiver.close()
})

test('a stopping worker releases hanging deliveries, and another takes them at once', async () => {
  let isHanging = true
  const receiver = await startHealthyReceiver({ ...world, answer: () => (isHanging ? hang : respond(204)) })
  const endpoint = await world.addEndpoint({ url: receiver.urlOf('/') })
  const worker = await world.startWorker()
  const publisher = world.newPublisher()
  await publisher.publish({ count: 5 })
  await receiver.untilReceived(5)
  // The grace period of eight seconds ends before the timeout of ten.
  expect(await worker.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(await countPending(world.store.db, [endpoint])).toEqual({ pending: 5, leased: 0 })

  isHanging = false
  const next = await world.startWorker()
  await untilNothingPending(world.store.db, [endpoint])
  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints: [endpoint], acknowledged, requests: receiver.requests })
  expect([...again.values()]).toEqual([1, 1, 1, 1, 1])
  await next.stop()
  await receiver.close()
})
