import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { allowanceAtFirst } from '@querypost/server/background-work'
import { type DnsServer, respond, startDnsServer, startListener, startReceiver } from '@querypost/server/testing'
import { memoryMb } from '../service-process.ts'
import { expectAllArrived, readDeliveries, type StoredDelivery, untilNothingPending } from './deliveries.ts'
import { startHealthyReceiver } from './healthy-receiver.ts'
import { failing, hanging, type Hostile, startHugeReceiver } from './hostile-receivers.ts'
import { until } from './until.ts'
import { type Endpoint, type NamedProcess, startWorld, type World } from './world.ts'

let world: World
let worker: NamedProcess
let dns: DnsServer
/** The address that the test's host name resolves to. */
let addresses = ['127.0.0.2']

beforeAll(async () => {
  dns = await startDnsServer(({ type }) => ({ addresses: type === 'A' ? addresses : [] }))
  world = await startWorld({
    postgresUrl: inject('postgresUrl'),
    environment: { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32, 127.0.0.2/32', WEBHOOK_DNS_SERVERS: dns.address },
  })
  worker = await world.startWorker()
})
afterAll(async () => {
  await world?.close()
  await dns?.close()
})

const attemptsOf = async ({ id }: Endpoint) => readDeliveries(world.store.db, [id])
const untilAttempted = (endpoint: Endpoint, count: number) =>
  until(async () => (await attemptsOf(endpoint)).filter(({ attemptCount }) => attemptCount > 0).length >= count)

describe('receivers that misbehave', () => {
  const hugeBytes = 100 * 1024 * 1024
  /** More than an endpoint's initial concurrency, so that at a hanging one some wait for others to time out. */
  const eventCount = allowanceAtFirst + 4

  test('each failure is recorded correctly, costs no memory and does not affect other endpoints', async () => {
    const closing: { close(): Promise<void> }[] = []
    const endpoints = new Map<Hostile, Endpoint>()
    for (const hostile of [...hanging, ...failing]) {
      const receiver = await hostile.start(world.authority)
      closing.push(receiver)
      endpoints.set(hostile, await world.addEndpoint({ url: `https://127.0.0.1:${receiver.port}/` }))
    }
    const trap = await startListener()
    const redirecting = await startHealthyReceiver({
      ...world,
      answer: () => respond(307, '', { location: `https://127.0.0.1:${trap.port}/` }),
    })
    const huge = await startHugeReceiver(world.authority, { sizeBytes: hugeBytes })
    const healthy = await startHealthyReceiver(world)
    closing.push(trap, redirecting, huge, healthy)
    const redirected = await world.addEndpoint({ url: redirecting.urlOf('/') })
    const hugeEndpoint = await world.addEndpoint({ url: `https://127.0.0.1:${huge.port}/` })
    const healthyEndpoint = await world.addEndpoint({ url: healthy.urlOf('/'), eventTypes: ['automation.run.failed'] })

    // Ignore the memory that a worker takes when it starts to work.
    const forHealthy = world.newPublisher()
    await forHealthy.publish({ type: 'automation.run.failed', count: 100 })
    await untilNothingPending(world.store.db, [healthyEndpoint])
    const beforeMb = memoryMb(worker.process)

    await world.newPublisher().publish({ count: eventCount })
    for (const hostile of failing) await expectFailures(endpoints.get(hostile)!, hostile, eventCount)
    const notFollowed = { kind: 'status_not_2xx', message: /responded with 307\. Redirects are not followed/ } as const
    await expectFailures(redirected, { name: 'redirects', ...notFollowed }, eventCount)
    await untilNothingPending(world.store.db, [hugeEndpoint])
    await forHealthy.publish({ type: 'automation.run.failed', count: 200 })
    await untilNothingPending(world.store.db, [healthyEndpoint])
    // All of that happened before these were even attempted.
    for (const hostile of hanging) {
      const untried = (await attemptsOf(endpoints.get(hostile)!)).filter(({ attemptCount }) => attemptCount === 0)
      expect(untried.length, hostile.name).toBeGreaterThanOrEqual(eventCount - allowanceAtFirst)
    }
    const again = await expectAllArrived(world, {
      endpoints: [healthyEndpoint],
      acknowledged: forHealthy.acknowledged,
      requests: healthy.requests,
    })
    expect(again.size).toBe(0)

    for (const hostile of hanging) await expectFailures(endpoints.get(hostile)!, hostile, allowanceAtFirst)
    expect(trap.connectionCount()).toBe(0)

    for (const { state, attempts } of await attemptsOf(hugeEndpoint)) {
      expect(state).toBe('delivered')
      expect(attempts).toMatchObject([{ status: 200, failure: null, response: 'x'.repeat(4096) }])
    }
    // The worker read 64 KiB. The rest of what the receiver sent was in system buffers.
    await until(() => huge.sentBytes.length === eventCount)
    expect(Math.max(...huge.sentBytes)).toBeLessThan(hugeBytes / 4)
    expect(memoryMb(worker.process) - beforeMb).toBeLessThan(64)

    await world.removeEndpoints([...endpoints.values(), redirected, hugeEndpoint, healthyEndpoint])
    await Promise.all(closing.map((receiver) => receiver.close()))
  })

  async function expectFailures(endpoint: Endpoint, expected: Omit<Hostile, 'start'>, count: number) {
    await untilAttempted(endpoint, count)
    const deliveries = (await attemptsOf(endpoint)).filter(({ attemptCount }) => attemptCount > 0)
    for (const delivery of deliveries) expectFailed(delivery, expected)
  }

  function expectFailed(delivery: StoredDelivery, expected: Omit<Hostile, 'start'>) {
    const [attempt, ...more] = delivery.attempts
    expect(more, expected.name).toEqual([])
    expect(delivery, expected.name).toMatchObject({ state: 'pending', attemptCount: 1 })
    expect(attempt!.failure?.kind, expected.name).toBe(expected.kind)
    expect(attempt!.failure?.message, expected.name).toMatch(expected.message)
    if (expected.kind === 'deadline_passed') expect(attempt!.durationMs, expected.name).toBeGreaterThanOrEqual(9_990)
    // The wait begins after the attempt: 30 seconds plus up to a tenth.
    const endedMs = Date.parse(attempt!.at) + attempt!.durationMs
    const waitMs = delivery.nextAttemptAt!.getTime() - endedMs
    expect(waitMs, expected.name).toBeGreaterThanOrEqual(29_990)
    expect(waitMs, expected.name).toBeLessThan(33_500)
  }
})

test('every attempt rejects a name that now resolves to a forbidden address, without connecting', async () => {
  const name = 'hooks.rebinding.example'
  const certificate = await world.authority.issue({ names: [name] })
  const receiver = await startReceiver({ ...certificate, host: '127.0.0.2', answer: () => respond(204) })
  const trap = await startListener({ host: '127.0.0.3', port: receiver.port })
  const endpoint = await world.addEndpoint({ url: `https://${name}:${receiver.port}/` })
  const publisher = world.newPublisher()
  await publisher.publish()
  await untilAttempted(endpoint, 1)
  const [first] = await attemptsOf(endpoint)
  expect(first).toMatchObject({ state: 'delivered', attempts: [{ address: '127.0.0.2', status: 204 }] })

  // The open connection to the first address must not bypass the check.
  addresses = ['127.0.0.3']
  await publisher.publish()
  await untilAttempted(endpoint, 2)
  addresses = ['127.0.0.2', '127.0.0.3']
  await publisher.publish()
  await untilAttempted(endpoint, 3)
  const refused = (await attemptsOf(endpoint)).filter(({ state }) => state === 'pending')
  expect(refused).toHaveLength(2)
  for (const { attempts } of refused) {
    expect(attempts).toMatchObject([{ address: null, status: null, failure: { kind: 'address_refused' } }])
  }
  const tried = await world.page('POST', `/app/api/webhook-endpoints/${endpoint.id}/test`)
  expect(tried).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(receiver.requests).toHaveLength(1)
  expect(trap.connectionCount()).toBe(0)
  await world.removeEndpoints([endpoint])
  await Promise.all([receiver.close(), trap.close()])
})
