import type { Attempt, DeliveryState } from '../delivery/delivery.ts'
import type { EventType } from '../events/event.ts'

/**
 * The *log* of an endpoint is its deliveries, newest first. It goes back 32 days. Unlike the published lists it is not a
 * snapshot: each page shows its deliveries as they are when it is asked for.
 */
export interface LoggedDelivery {
  id: string
  eventId: string
  eventType: EventType
  endpointId: string
  state: DeliveryState
  isTest: boolean
  /** Who asked for it to be sent once more; null for the delivery that the event itself brought. */
  requestedBy: string | null
  createdAt: Date
  nextAttemptAt: Date | null
  endedAt: Date | null
  heldAt: Date | null
  attemptCount: number
  /** A worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: Omit<Attempt, 'response'>[]
}

export interface DeliveryInFull extends LoggedDelivery {
  attempts: Attempt[]
  /** What is sent, but for the headers that sign it: the endpoint's URL of now, and the same body in every attempt. */
  request: { url: string; body: string }
}

export interface LogFilter {
  state?: DeliveryState
  eventType?: EventType
  /** Created at or after. */
  from?: Date
  /** Created before. */
  to?: Date
}
