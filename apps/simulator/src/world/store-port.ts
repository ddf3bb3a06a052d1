import type { DeliveryStore } from '@querypost/server/background-work'
import type { CallStore } from './store-calls.ts'

/** The delivery store of one machine. */
export const makeStorePort = (call: CallStore, store: DeliveryStore): DeliveryStore => ({
  claim: (claim) => call('store.claim', () => store.claim(claim)),
  record: (records) =>
    call('store.record', (isPartial) => store.record(isPartial ? records.slice(0, records.length >> 1) : records), records),
  release: (deliveries) => call('store.release', () => store.release(deliveries)),
  holdLeftovers: () => call('store.holdLeftovers', () => store.holdLeftovers()),
})
