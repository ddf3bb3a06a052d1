/**
 * What every `DeliveryStore` must do: `deliveryStoreConformance({ name, open })` in a test file puts one through it.
 * `open` makes an empty store with the ways to set up what stands in it.
 */
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import type { DeliveriesUnderTest } from './deliveries-under-test.ts'
import { testBodies } from './conformance-bodies.ts'
import { testClaims } from './conformance-claims.ts'
import { testConcurrency } from './conformance-concurrency.ts'
import { testHolding } from './conformance-holding.ts'
import { testRecords } from './conformance-records.ts'
import { type Hands, makeHands } from './conformance-hands.ts'

export interface ConformanceSubject {
  /** Empties what is under it. The store over it is a new one: what one test's claims have found out is not known to the next. */
  begin(): Promise<DeliveriesUnderTest>
  close(): Promise<void>
}

export function deliveryStoreConformance(options: { name: string; open(): Promise<ConformanceSubject> }): void {
  describe(`${options.name} conforms`, () => {
    let subject: ConformanceSubject
    let hands: Hands

    beforeAll(async () => {
      subject = await options.open()
    })

    beforeEach(async () => {
      hands = await makeHands(await subject.begin())
    })

    afterAll(() => subject.close())

    testClaims(() => hands)
    testRecords(() => hands)
    testHolding(() => hands)
    testBodies(() => hands)
    testConcurrency(() => hands)
  })
}
