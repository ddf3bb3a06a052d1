import type { EventType } from './event-type.ts'
import type { EndpointSeries } from './endpoint-series.ts'

/**
 * An *endpoint* is a customer's URL that events are sent to. It is *enabled* until five events in a row use up all their attempts,
 * or an admin disables it; only an admin enables it again. Events in the meantime are held for it.
 */
export const endpointStates = ['enabled', 'disabled'] as const
export type EndpointState = (typeof endpointStates)[number]

export interface Endpoint {
  id: string
  organizationId: string
  url: string
  description: string | null
  eventTypes: EventType[]
  /** The events of a key (an automation or a query) are sent one after the other. */
  isOrdered: boolean
  state: EndpointState
  /** Events in a row that used up all their attempts. */
  consecutiveFailures: number
  disabledAt: Date | null
  disabledReason: string | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** How the latest deliveries went, without tests: how many are in each state, and how long their last attempts took. */
export interface EndpointHealth {
  delivered: number
  exhausted: number
  pending: number
  /** How many of the pending ones have failed at least once. */
  retrying: number
  held: number
  /** The 95th percentile; null if there was no attempt. */
  durationP95Ms: number | null
  /** The latest attempt that failed. */
  lastFailure: { deliveryId: string; at: string; message: string } | null
}

export interface EndpointInFull extends Endpoint {
  health: EndpointHealth
  /** Deliveries that are held until someone sends them; counted up to `heldCountMax`. */
  heldCount: number
}

/** An endpoint as shown in the list. */
export interface ListedEndpoint extends EndpointInFull {
  /** The last 24 hours, by the hour. */
  series: EndpointSeries
}

export const heldCountMax = 1000
