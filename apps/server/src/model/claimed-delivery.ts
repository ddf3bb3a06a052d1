import type { Attempt } from './delivery.ts'

export interface ClaimOptions {
  workerId: string
  leaseMs: number
  count: number
  /** Lanes are served in the order of their endpoints' ids, starting after this one; '' means from the first. */
  afterLane: string
  /** How many more deliveries each endpoint may get; endpoints not listed may get `roomOfOthers`. Valid until the claim returns. */
  rooms: ReadonlyMap<string, number>
  roomOfOthers: number
  /** Endpoints with room of which more than the newest deliveries may be due. Beside many lanes, a claim checks only some of the others. */
  unfinished: readonly string[]
  /**
   * Workers that no longer exist. What they had leased is free, except for deliveries in order: if one of these workers is running
   * after all, its request could arrive after the next one of the key.
   */
  goneWorkers: readonly string[]
}

export interface Claim {
  deliveries: ClaimedDelivery[]
  /** Where the next claim starts, so that every lane gets its turn; '' after the last lane. */
  nextAfterLane: string
  /** Due deliveries were put behind earlier ones of their key. Others may be due in their place: claim again. */
  hasParked?: boolean
  /** Set if it left lanes out: a claim after this time visits them. */
  othersInMs?: number
}

/** A delivery claimed by a worker, with everything needed to make the attempt. */
export interface ClaimedDelivery {
  id: string
  leaseNumber: number
  /** 1 to 8: the number of the coming attempt. */
  attemptNumber: number
  eventId: string
  /** The envelope as it is sent. */
  body: string
  endpointId: string
  organizationId: string
  url: string
  /** The endpoint's current secret, encrypted. */
  secret: Uint8Array
  /** Its key, if the endpoint receives events in order. */
  orderKey: string | null
  /** The trace of the change that the event reports. */
  traceparent?: string | null
}

export interface AttemptRecord {
  deliveryId: string
  leaseNumber: number
  endpointId: string
  orderKey: string | null
  attempt: Attempt
  decision: DeliveryDecision
  /** How long ago the attempt ended: the decision counts from then, by the store's time. */
  endedAgoMs: number
}

/** What happens to a delivery after an attempt. Pure data: the caller carries it out. */
export type DeliveryDecision =
  | { state: 'delivered' }
  | { state: 'exhausted' }
  /** To be retried this long after the attempt ended. */
  | { state: 'pending'; waitMs: number }
