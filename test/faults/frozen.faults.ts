import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectAllArrived, expectRepeatsOnlyForLostLeases, untilNothingPending } from './deliveries.ts'
import { type HealthyReceiver, startHealthyReceiver } from './healthy-receiver.ts'
import { lostLeases } from './lease-log.ts'
import { report } from './report.ts'
import { startWorld, type World } from './world.ts'

let world: World
let receiver: HealthyReceiver

beforeAll(async () => {
  world = await startWorld({ postgresUrl: inject('postgresUrl') })
  receiver = await startHealthyReceiver(world)
})
afterAll(async () => {
  await world?.close()
  await receiver?.close()
})

test('a worker that was paused for longer than its leases does no harm when it resumes', async () => {
  const endpoints = await Promise.all(['/one', '/two'].map((path) => world.addEndpoint({ url: receiver.urlOf(path) })))
  const frozen = await world.startWorker()
  const publisher = world.newPublisher()
  const paused = new Promise<void>((resolve) => {
    receiver.at(200, () => {
      frozen.process.kill('SIGSTOP')
      resolve()
    })
  })
  await publisher.publish({ count: 300 })
  await paused
  const other = await world.startWorker()
  // The other worker takes over when the leases of the first have expired.
  await untilNothingPending(world.store.db, endpoints)
  const lost = await lostLeases(world.store.db)
  expect(new Set(lost.map(({ process }) => process))).toEqual(new Set([frozen.name]))

  // The first worker still believes that it holds the leases. What it records now must be ignored.
  frozen.process.kill('SIGCONT')
  expect(await frozen.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(frozen.output()).toContain('delivery not recorded: lease lost')
  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })
  const figures = await expectRepeatsOnlyForLostLeases(world, { again, killed: [frozen.name] })
  report('frozen for longer than a lease', { events: acknowledged.size, ...figures })
  await other.stop()
})
