import { expect, test } from 'vitest'
import type { DeliveryStore } from '../store/webhooks/delivery-store.ts'
import type { ClaimedDelivery } from '../model/claimed-delivery.ts'
import { makeSealer } from '../domain/sealing.ts'
import { newSecret } from '../domain/webhooks/secret.ts'
import { localWakeups } from '../store/wakeups.ts'
import { fakeNetwork } from '../../testing/fake-network.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { seededRandom } from '../../testing/seeded-random.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { makeDeliveryWorker } from './delivery-worker.ts'
import { pollPause } from '../../testing/poll-pause.ts'

/** A worker whose store always has as many due deliveries as requested. */
function startEndless() {
  const random = seededRandom('delivery worker')
  const sealer = makeSealer({ secretKey: Buffer.alloc(32, 7), random })
  const secret = sealer.seal(newSecret(random), 'we_1')
  let claimCount = 0
  let recordedCount = 0
  let number = 0
  const deliveryOf = (): ClaimedDelivery => ({
    id: `dlv_${++number}`,
    leaseNumber: 1,
    orderKey: null,
    attemptNumber: 1,
    eventId: `evt_${number}`,
    body: '{}',
    endpointId: 'we_1',
    organizationId: 'org_1',
    url: 'https://hooks.example/',
    secret,
  })
  const deliveries: DeliveryStore = {
    async claim({ count }) {
      claimCount += 1
      await pollPause()
      return { deliveries: Array.from({ length: count }, deliveryOf), nextAfterLane: '' }
    },
    async record(records) {
      recordedCount += records.length
      return { recorded: new Set(records.map(({ deliveryId }) => deliveryId)) }
    },
    async release() {},
    async holdLeftovers() {},
  }
  const worker = makeDeliveryWorker({
    clock: manualClock(),
    random,
    log: silentLog,
    network: fakeNetwork(),
    sealer,
    addressRules: { ownUrl: new URL('https://querypost.test'), allowedNetworks: [] },
    deliveries,
    wakeups: localWakeups(),
  })
  worker.start()
  return { worker, claims: () => claimCount, claimed: () => number, recorded: () => recordedCount }
}

test('a stopping worker claims nothing more, however much is due, and completes its attempts', async () => {
  const { worker, claims, claimed, recorded } = startEndless()
  while (claims() < 10) await pollPause()
  const claimsBefore = claims()
  await worker.stop({ graceMs: 5000 })
  expect(claims()).toBe(claimsBefore)
  expect(recorded()).toBe(claimed())
})
