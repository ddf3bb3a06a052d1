import type { Published } from '@querypost/server/background-work'
import type { DeliveriesUnderTest, DeliveryRow, PublishOptions } from '@querypost/server/testing'

/**
 * A store as the world uses it. Both are there only where they are cheap: without them the world takes the long way.
 */
export interface DeliveriesInWorld extends DeliveriesUnderTest {
  /** A publishing transaction that stays open for a while. */
  beginPublishing?(options: PublishOptions): OpenPublication
  /** What was written since the last look; `row` is missing when it was removed. */
  writtenDeliveries?(): { id: string; row: DeliveryRow | undefined }[]
}

export interface OpenPublication {
  published: Published
  commit(): Promise<void>
}
