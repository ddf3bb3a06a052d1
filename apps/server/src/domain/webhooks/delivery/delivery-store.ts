import type { Attempt } from './delivery.ts'
import type { Decision } from './decide.ts'

/**
 * What the engine needs of a store. Two exist: SQL, and the simulator's in memory; one suite holds both to this.
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

export interface ClaimOptions {
  workerId: string
  leaseMs: number
  count: number
  /** Lanes are served in the order of their endpoints' ids, beginning after this one; '' is the first. */
  afterLane: string
  /** How many more each endpoint may get; those that are not here may get `roomOfOthers`. */
  rooms: Map<string, number>
  roomOfOthers: number
}

export interface Claim {
  deliveries: ClaimedDelivery[]
  /** Where the next claim begins, so that every lane gets its turn; '' when the last lane was reached. */
  nextAfterLane: string
}

/** A delivery in the hands of one worker, with all it needs to make the attempt. */
export interface ClaimedDelivery {
  id: string
  leaseNumber: number
  /** 1 to 8: which attempt this is going to be. */
  attemptNumber: number
  eventId: string
  /** The envelope as it is sent. */
  body: string
  endpointId: string
  organizationId: string
  url: string
  /** The endpoint's current secret, sealed. */
  secret: Uint8Array
}

export interface AttemptRecord {
  deliveryId: string
  leaseNumber: number
  endpointId: string
  attempt: Attempt
  decision: Decision
  /** How long ago the attempt was over: what is decided counts from then, by the store's time. */
  endedAgoMs: number
}
