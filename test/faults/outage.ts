import { expect } from 'vitest'
import type { PostgresServer } from '@querypost/server/testing'
import { readDeliveries } from './deliveries.ts'
import type { HealthyReceiver } from './healthy-receiver.ts'
import type { Publisher } from './publisher.ts'
import { until } from './until.ts'
import type { Endpoint, NamedProcess, World } from './world.ts'

/**
 * Stops PostgreSQL under load and starts it again. The processes keep running: `healthz` stays ok, `readyz` fails.
 *
 * Returns the deliveries that had arrived but that PostgreSQL had not recorded when it was back. Only these may be repeated. To make this
 * exact, the workers are paused (SIGSTOP) from when nothing is in flight until the table has been read.
 */
export async function survivePostgresOutage(options: {
  world: World
  server: PostgresServer
  how: 'shutdown' | 'crash'
  workers: NamedProcess[]
  receiver: HealthyReceiver
  endpoints: Endpoint[]
  publisher: Publisher
  /** Awaited before PostgreSQL is started again. */
  duringOutage?: () => Promise<void>
}): Promise<Set<string>> {
  const { world, server, workers, receiver, publisher } = options
  const processes = [world.api, ...workers]
  const failuresBefore = publisher.failureCount()
  await server.interrupt(options.how)
  for (const service of processes) {
    await until(async () => (await statusOf(service, '/readyz')) === 503)
    expect(await statusOf(service, '/healthz')).toBe(200)
  }
  await until(() => publisher.failureCount() > failuresBefore)
  await untilNothingInFlight(workers, receiver)
  await options.duringOutage?.()

  for (const { process } of workers) process.kill('SIGSTOP')
  await server.resume()
  const unknown = await arrivedButNotRecorded(options)
  for (const { process } of workers) process.kill('SIGCONT')
  for (const service of processes) {
    await until(async () => (await statusOf(service, '/readyz')) === 200)
    expect(service.process.exitCode, service.output()).toBeNull()
  }
  return unknown
}

const statusOf = async (service: NamedProcess, route: string) => (await fetch(service.baseUrl + route)).status

/** Resolves when the workers have finished every request that arrived, and a second look finds no new ones. */
export async function untilNothingInFlight(workers: NamedProcess[], receiver: HealthyReceiver): Promise<void> {
  const looksInARow = 5
  let looks = 0
  let before = -1
  await until(async () => {
    const counts = await Promise.all(workers.map(endedAttempts))
    const ended = counts.reduce((total, count) => total + count, 0)
    looks = ended === receiver.requests.length && ended === before ? looks + 1 : 0
    before = ended
    return looks === looksInARow
  })
}

async function endedAttempts(worker: NamedProcess): Promise<number> {
  const text = await (await fetch(`${worker.baseUrl}/metrics`)).text()
  const counts = [...text.matchAll(/^querypost_webhook_attempt_duration_seconds_count\{.*\} (\d+)$/gm)]
  return counts.reduce((total, [, count]) => total + Number(count), 0)
}

async function arrivedButNotRecorded(options: {
  world: World
  receiver: HealthyReceiver
  endpoints: Endpoint[]
}): Promise<Set<string>> {
  const { receiver, endpoints } = options
  const arrived = new Set(receiver.requests.map(({ path, headers }) => `${path} ${headers['svc-webhook-id']}`))
  const pathOf = new Map(endpoints.map(({ id, url }) => [id, new URL(url).pathname]))
  const deliveries = await readDeliveries(options.world.store.db, endpoints.map(({ id }) => id))
  const unknown = deliveries.filter(
    ({ state, endpointId, eventId }) => state !== 'delivered' && arrived.has(`${pathOf.get(endpointId)} ${eventId}`),
  )
  return new Set(unknown.map(({ id }) => id))
}
