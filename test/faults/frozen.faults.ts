import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectAllArrived, expectOnlyLostCameAgain, untilNothingPending } from './deliveries.ts'
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

test('a worker that stood still for longer than its leases spoils nothing when it goes on', async () => {
  const endpoints = await Promise.all(['/one', '/two'].map((path) => world.addEndpoint({ url: receiver.urlOf(path) })))
  const frozen = await world.startWorker()
  const publisher = world.newPublisher()
  const stoodStill = new Promise<void>((resolve) => {
    receiver.at(200, () => {
      frozen.process.kill('SIGSTOP')
      resolve()
    })
  })
  await publisher.publish({ count: 300 })
  await stoodStill
  const other = await world.startWorker()
  // The other one takes over what the first had in hand, when its leases have expired.
  await untilNothingPending(world.store.db, endpoints)
  const lost = await lostLeases(world.store.db)
  expect(new Set(lost.map(({ process }) => process))).toEqual(new Set([frozen.name]))

  // It still believes that it has them: what it records now must count for nothing.
  frozen.process.kill('SIGCONT')
  expect(await frozen.stop('SIGTERM')).toEqual({ code: 0, signal: null })
  expect(frozen.output()).toContain('delivery not recorded: lease lost')
  const { acknowledged } = publisher
  const again = await expectAllArrived(world, { endpoints, acknowledged, requests: receiver.requests })
  const figures = await expectOnlyLostCameAgain(world, { again, killed: [frozen.name] })
  report('frozen for longer than a lease', { events: acknowledged.size, ...figures })
  await other.stop()
})
