import type { AttemptRecord, ClaimedDelivery } from '@querypost/server/model'
import type { BrokenEngine } from './broken-engine.ts'

/** Marks a delivery as delivered before sending it: a crash in between loses it. */
export const deliveredBeforeSending: BrokenEngine = {
  name: 'delivered before sending',
  noticedBy: [1],
  spoil: (deps) => ({
    ...deps,
    deliveries: {
      ...deps.deliveries,
      async claim(options) {
        const claim = await deps.deliveries.claim(options)
        await deps.deliveries.record(claim.deliveries.map((delivery) => asDelivered(delivery, deps.clock.now())))
        return claim
      },
    },
  }),
}

function asDelivered(delivery: ClaimedDelivery, now: Date): AttemptRecord {
  const phases = { dnsMs: null, connectMs: null, tlsMs: null, responseMs: null, bodyMs: null }
  const { id: deliveryId, leaseNumber, endpointId, orderKey, attemptNumber: number } = delivery
  const outcome = { durationMs: 0, phases, signed: null, address: null, status: 200, response: '', failure: null }
  const attempt = { number, at: now.toISOString(), ...outcome }
  return { deliveryId, leaseNumber, endpointId, orderKey, attempt, decision: { state: 'delivered' }, endedAgoMs: 0 }
}
