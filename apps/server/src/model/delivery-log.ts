import type { Attempt, DeliveryState } from './delivery.ts'
import type { EventType } from './event-type.ts'

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
  requestedByName: string | null
  createdAt: Date
  nextAttemptAt: Date | null
  endedAt: Date | null
  heldAt: Date | null
  attemptCount: number
  /** A worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: Omit<Attempt, 'response' | 'signed'>[]
}

export interface DeliveryInFull extends LoggedDelivery {
  attempts: AttemptInFull[]
  /** What is sent, but for the headers that sign it: the endpoint's URL of now, and the same body in every attempt. */
  request: { url: string; headers: Record<string, string>; body: string }
}

export interface AttemptInFull extends Omit<Attempt, 'signed'> {
  /** As they were sent, the signature too; null when it did not come to that. */
  requestHeaders: Record<string, string> | null
}

export interface LogFilter {
  state?: DeliveryState
  eventType?: EventType
  /** Created at or after. */
  from?: Date
  /** Created before. */
  to?: Date
  /** Only what somebody looks for by an id. */
  found?: LogSearch
}

/** An event is looked for with the moment in which it was published: its own deliveries are of the same. */
export type LogSearch = { deliveryId: string } | { eventId: string; createdAt: Date } | 'nothing'

/**
 * A *replay* sends events to an endpoint once more: each event among the chosen deliveries once, as a new delivery. Tests
 * are left out, and so is what is on its way already. What is held is not replayed but sent (`sendHeld`).
 */
export interface ReplayChoice {
  states: ReplayState[]
  eventTypes: EventType[]
  from?: Date
  to?: Date
}

export const replayStates = ['exhausted', 'delivered'] as const satisfies DeliveryState[]
export type ReplayState = (typeof replayStates)[number]
