import type { Attempt } from './delivery.ts'

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
  decision: DeliveryDecision
  /** How long ago the attempt was over: what is decided counts from then, by the store's time. */
  endedAgoMs: number
}

/** What becomes of a delivery after an attempt, and of its endpoint. Pure: whoever asks carries it out. */
export type DeliveryDecision =
  | { state: 'delivered' }
  | { state: 'exhausted' }
  /** To be tried again so long after the attempt was over. */
  | { state: 'pending'; waitMs: number }
