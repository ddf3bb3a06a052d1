import type { DeliveryState } from '../../src/model/delivery.ts'
import type { DeliveryStore } from '../../src/store/webhooks/delivery-store.ts'
import type { NotificationKind } from '../../src/model/notification.ts'
import type { EndpointState } from '../../src/model/endpoint.ts'
import type { EventContent } from '../../src/model/event.ts'
import type { Published } from '../../src/domain/webhooks/events/publish-event.ts'

/**
 * A `DeliveryStore` with its surroundings: managing endpoints, publishing events, and reading its contents. The conformance suite
 * and the simulator use every store through this interface.
 */
export interface DeliveriesUnderTest {
  store: DeliveryStore
  /** Sets the store's time. */
  setTime(now: Date): void
  addOrganization(organizationId: string): Promise<void>
  switchWebhooks(organizationId: string, isOn: boolean): Promise<void>
  addEndpoint(endpoint: NewEndpoint): Promise<void>
  disableEndpoint(endpointId: string, now: Date): Promise<void>
  /** With `sendHeld`, held deliveries are due at once. */
  enableEndpoint(endpointId: string, options: { now: Date; sendHeld: boolean }): Promise<void>
  deleteEndpoint(endpointId: string, now: Date): Promise<void>
  changeSecret(endpointId: string, sealed: Uint8Array): Promise<void>
  /** One transaction, committed or not. */
  publish(options: PublishOptions): Promise<Published>
  /** All deliveries. */
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
  isOrdered?: boolean
  now: Date
}

export interface PublishOptions {
  organizationId: string
  content: EventContent
  now: Date
  /** A test for this endpoint; otherwise the event goes to all subscribed endpoints. */
  testOf?: string
  /** The transaction fails after the event was written, so nothing of it may remain. */
  isRolledBack?: boolean
}

export interface DeliveryRow {
  id: string
  eventId: string
  endpointId: string
  isTest: boolean
  state: DeliveryState
  attemptCount: number
  /** The number of attempts in its log. */
  attemptsLogged: number
  nextAttemptAt: Date | null
  leaseNumber: number
  leaseOwner: string | null
  leaseExpiresAt: Date | null
  /** Its place, if its endpoint receives events in order. */
  orderKey: string | null
  orderNumber: number | null
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
