import type { Attempt, DeliveryState } from './delivery.ts'
import type { EventType } from './event-type.ts'

/**
 * The *log* of an endpoint is its deliveries, newest first. It goes back 32 days. Unlike the published lists it is not a snapshot:
 * each page shows the current state of its deliveries.
 */
export interface LoggedDelivery {
  id: string
  eventId: string
  eventType: EventType
  endpointId: string
  state: DeliveryState
  isTest: boolean
  /** Who requested the resend; null for the event's original delivery. */
  requestedBy: string | null
  requestedByName: string | null
  createdAt: Date
  nextAttemptAt: Date | null
  /** Pending behind an earlier event of its key, at an endpoint that receives events in order. */
  isWaiting: boolean
  endedAt: Date | null
  heldAt: Date | null
  attemptCount: number
  /** A worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: Omit<Attempt, 'response' | 'signed'>[]
}

export interface DeliveryInFull extends LoggedDelivery {
  attempts: AttemptInFull[]
  /** What is sent, without the signature headers: the endpoint's current URL, and the body, which is the same in every attempt. */
  request: { url: string; headers: Record<string, string>; body: string }
}

export interface AttemptInFull extends Omit<Attempt, 'signed'> {
  /** As sent, including the signature; null if nothing was sent. */
  requestHeaders: Record<string, string> | null
}

export interface LogFilter {
  state?: DeliveryState
  eventType?: EventType
  /** Created at or after. */
  from?: Date
  /** Created before. */
  to?: Date
  /** The result of a search by id. */
  found?: LogSearch
}

/** An event is found together with its time of publication: its own deliveries have the same time. */
export type LogSearch = { deliveryId: string } | { eventId: string; createdAt: Date } | 'nothing'

/**
 * A *replay* sends events to an endpoint again: each event among the selected deliveries once, as a new delivery. Tests are left
 * out, and so are events already on their way. Held deliveries are not replayed but sent (`sendHeld`).
 */
export interface ReplayChoice {
  states: ReplayState[]
  eventTypes: EventType[]
  from?: Date
  to?: Date
}

export const replayStates = ['exhausted', 'delivered'] as const satisfies DeliveryState[]
export type ReplayState = (typeof replayStates)[number]
