import type { Published } from '@querypost/server/background-work'
import type { DeliveriesUnderTest, DeliveryRow, PublishOptions } from '@querypost/server/testing'

/** A store as the world uses it. Both methods are optional; without them the world uses a slower way. */
export interface DeliveriesInWorld extends DeliveriesUnderTest {
  /** A publishing transaction that stays open for a while. */
  beginPublishing?(options: PublishOptions): OpenPublication
  /** Rows written since the last call; `row` is missing if it was removed. */
  writtenDeliveries?(): { id: string; row: DeliveryRow | undefined }[]
}

export interface OpenPublication {
  published: Published
  commit(): Promise<void>
}
