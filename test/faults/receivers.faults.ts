import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { memoryMb } from '../service-process.ts'
import { countPending, expectAllArrived, readDeliveries, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { failing, hanging, startHugeReceiver } from './hostile-receivers.ts'
import { report } from './report.ts'
import { until } from './until.ts'
import { type Endpoint, type NamedProcess, startWorld, type World } from './world.ts'

let world: World
let worker: NamedProcess
let healthy: HealthyReceiver
const closing: { close(): Promise<void> }[] = []

beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl') })
  worker = await world.startWorker()
  healthy = await startHealthyReceiver(world)
  closing.push(healthy)
})
afterAll(async () => {
  await world?.close()
  await Promise.all(closing.map((receiver) => receiver.close()))
})

test('a healthy receiver gets everything once while hostile ones have a backlog, in bounded memory', async () => {
  const hostile: Endpoint[] = []
  for (const { start } of [...hanging, ...failing]) {
    const receiver = await start(world.authority)
    closing.push(receiver)
    hostile.push(await world.addEndpoint({ url: `https://127.0.0.1:${receiver.port}/` }))
  }
  const huge = await startHugeReceiver(world.authority, { sizeBytes: 100 * 1024 * 1024 })
  closing.push(huge)
  const hugeEndpoint = await world.addEndpoint({ url: `https://127.0.0.1:${huge.port}/` })
  const healthyEndpoint = await world.addEndpoint({ url: healthy.urlOf('/'), eventTypes: ['automation.run.failed'] })
  const forHealthy = world.newPublisher()
  await forHealthy.publish({ type: 'automation.run.failed', count: 1_000 })
  await untilNothingPending(world.store.db, [healthyEndpoint])
  const beforeMb = memoryMb(worker.process)

  const backlog = 100
  await world.newPublisher().publish({ count: backlog })
  await forHealthy.publish({ type: 'automation.run.failed', count: 3_000 })
  await untilNothingPending(world.store.db, [healthyEndpoint])
  // The hanging ones have hardly begun: a few attempts at first, then one every ten seconds.
  const slow = hostile.slice(0, hanging.length)
  const waiting = await readDeliveries(world.store.db, slow.map(({ id }) => id))
  const attempted = waiting.filter(({ attemptCount }) => attemptCount > 0)
  expect(attempted.length).toBeLessThan((slow.length * backlog) / 2)
  const { acknowledged } = forHealthy
  const endpoints = [healthyEndpoint]
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: healthy.requests })
  expect(again.size).toBe(0)

  await untilNothingPending(world.store.db, [hugeEndpoint])
  const grownMb = memoryMb(worker.process) - beforeMb
  // Ten gigabytes were offered. This is the ordinary growth of the heap; repeating the load does not add to it.
  expect(grownMb).toBeLessThan(150)
  expect((await countPending(world.store.db, hostile)).pending).toBe(hostile.length * backlog)
  const figures = { endpoints: hostile.length, 'hanging attempts ended': attempted.length, 'grown by MB': grownMb }
  report('hostile receivers', figures)
  await world.removeEndpoints([...hostile, hugeEndpoint, healthyEndpoint])
})

test('a receiver that was down gets its retries when they are due, and each event once', async () => {
  const receiver = await startHealthyReceiver(world)
  const endpoint = await world.addEndpoint({ url: receiver.urlOf('/') })
  await receiver.close()
  const publisher = world.newPublisher()
  await publisher.publish({ count: 20 })
  const deliveries = () => readDeliveries(world.store.db, [endpoint.id])
  await until(async () => (await deliveries()).every(({ attemptCount }) => attemptCount === 1))
  const due = new Map((await deliveries()).map(({ id, nextAttemptAt }) => [id, nextAttemptAt!.getTime()]))

  const back = await startHealthyReceiver({ ...world, port: receiver.port })
  closing.push(back)
  await untilNothingPending(world.store.db, [endpoint])
  for (const { id, state, attempts } of await deliveries()) {
    expect({ state, kinds: attempts.map(({ failure }) => failure?.kind) }).toEqual({
      state: 'delivered',
      kinds: ['connection_failed', undefined],
    })
    expect(Date.parse(attempts[1]!.at)).toBeGreaterThanOrEqual(due.get(id)!)
  }
  const arrived = back.requests.map(({ headers }) => headers['svc-webhook-id'])
  expect(arrived).toHaveLength(publisher.acknowledged.size)
  expect(new Set(arrived)).toEqual(publisher.acknowledged)
})
