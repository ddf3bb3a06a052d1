import type { AttemptRecord, Claim, ClaimedDelivery, ClaimOptions } from '../../model/claimed-delivery.ts'

/**
 * What the delivery worker needs of a store. Two exist: SQL, and the simulator's in memory; one suite holds both to this.
 *
 * A *lane* is an endpoint's pending deliveries, in the order in which they fall due.
 */
export interface DeliveryStore {
  /** Takes due deliveries, fairly by lane, each under a lease. */
  claim(options: ClaimOptions): Promise<Claim>
  /**
   * Records attempts, counts them and carries out what was decided, all or nothing for each. What is not recorded (its lease has been
   * given to another, or it was recorded before) is missing from the answer.
   */
  record(records: AttemptRecord[]): Promise<{ recorded: Set<string> }>
  /** Gives deliveries back whose attempt was not made, due at once. */
  release(deliveries: Pick<ClaimedDelivery, 'id' | 'leaseNumber'>[]): Promise<void>
  /** Holds what has been left pending for disabled endpoints. */
  holdLeftovers(): Promise<void>
}

