import type { DeliveryState } from '../../src/model/delivery.ts'
import type { DeliveryStore } from '../../src/store/webhooks/delivery-store.ts'
import type { NotificationKind } from '../../src/model/notification.ts'
import type { EndpointState } from '../../src/model/endpoint.ts'
import type { EventContent } from '../../src/model/event.ts'
import type { Published } from '../../src/domain/webhooks/events/publish-event.ts'

/**
 * A `DeliveryStore` with what happens around it: people who manage endpoints, runs that publish, and a look at what
 * stands in it. The conformance suite and the simulator put every store through this.
 */
export interface DeliveriesUnderTest {
  store: DeliveryStore
  /** From now on this is the store's time. */
  setTime(now: Date): void
  addOrganization(organizationId: string): Promise<void>
  switchWebhooks(organizationId: string, isOn: boolean): Promise<void>
  addEndpoint(endpoint: NewEndpoint): Promise<void>
  disableEndpoint(endpointId: string, now: Date): Promise<void>
  /** `sendHeld`: what was held is due at once. */
  enableEndpoint(endpointId: string, options: { now: Date; sendHeld: boolean }): Promise<void>
  deleteEndpoint(endpointId: string, now: Date): Promise<void>
  changeSecret(endpointId: string, sealed: Uint8Array): Promise<void>
  /** One transaction, committed or not. */
  publish(options: PublishOptions): Promise<Published>
  /** Every delivery there is. */
  deliveries(): Promise<DeliveryRow[]>
  endpoints(): Promise<EndpointRow[]>
  /** Oldest first. */
  notifications(): Promise<NotificationRow[]>
  close(): Promise<void>
}

export interface NewEndpoint {
  id: string
  organizationId: string
  url: string
  secret: Uint8Array
  createdBy: string
  now: Date
}

export interface PublishOptions {
  organizationId: string
  content: EventContent
  now: Date
  /** A test for one endpoint; otherwise it goes to all that are subscribed. */
  testOf?: string
  /** The transaction fails after the event was written: nothing of it may stay. */
  isRolledBack?: boolean
}

export interface DeliveryRow {
  id: string
  eventId: string
  endpointId: string
  isTest: boolean
  state: DeliveryState
  attemptCount: number
  /** How many stand in its log. */
  attemptsLogged: number
  nextAttemptAt: Date | null
  leaseNumber: number
  leaseOwner: string | null
  leaseExpiresAt: Date | null
}

export interface EndpointRow {
  id: string
  organizationId: string
  state: EndpointState
  consecutiveFailures: number
  isDeleted: boolean
}

export interface NotificationRow {
  id: string
  kind: NotificationKind
  userId: string
  endpointId: string
}
