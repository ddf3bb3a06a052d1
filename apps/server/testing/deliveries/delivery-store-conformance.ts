/**
 * The conformance suite for every `DeliveryStore`: call `deliveryStoreConformance({ name, open })` in a test file. `open` creates an
 * empty store and the means to fill it.
 */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { DeliveriesUnderTest } from './deliveries-under-test.ts'
import { testBodies } from './conformance-bodies.ts'
import { testClaims } from './conformance-claims.ts'
import { testConcurrency } from './conformance-concurrency.ts'
import { testHolding } from './conformance-holding.ts'
import { testOrder } from './conformance-order.ts'
import { testRecords } from './conformance-records.ts'
import { type DeliveryHelpers, makeHelpers } from './conformance-helpers.ts'

export interface ConformanceSubject {
  /** Empties the underlying store and returns a new `DeliveryStore` on it, so that no claim state carries over between tests. */
  begin(): Promise<DeliveriesUnderTest>
  close(): Promise<void>
}

export function deliveryStoreConformance(options: { name: string; open(): Promise<ConformanceSubject> }): void {
  describe(`${options.name} conforms`, () => {
    let subject: ConformanceSubject
    let helpers: DeliveryHelpers

    beforeAll(async () => {
      subject = await options.open()
    })

    beforeEach(async () => {
      helpers = await makeHelpers(await subject.begin())
    })

    afterAll(() => subject.close())

    testClaims(() => helpers)
    testRecords(() => helpers)
    testHolding(() => helpers)
    testOrder(() => helpers)
    testBodies(() => helpers)
    testConcurrency(() => helpers)
  })
}
