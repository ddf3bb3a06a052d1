import type { AttemptRecord, Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'

/**
 * The store operations of the delivery worker. Implemented in SQL, and in memory by the simulator; one conformance suite tests both.
 *
 * A *lane* is an endpoint's pending deliveries, ordered by due time.
 */
export interface DeliveryStore {
  /** Claims due deliveries, fairly by lane, each under a lease. */
  claim(options: ClaimOptions): Promise<Claim>
  /**
   * Records attempts, counts them and applies their decisions, each one atomically. Attempts that were not recorded (another worker holds
   * the lease, or they were recorded before) are missing from the answer.
   */
  record(records: AttemptRecord[]): Promise<{ recorded: Set<string> }>
  /** Releases deliveries whose attempt was not made, due at once. */
  release(deliveries: Pick<ClaimedDelivery, 'id' | 'leaseNumber'>[]): Promise<void>
  /** Holds deliveries left pending for disabled endpoints. */
  holdLeftovers(): Promise<void>
}

