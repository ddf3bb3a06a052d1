import type { EventData, EventType } from './event-type.ts'

/** The content that a publisher provides. */
export type EventContent = { [Type in EventType]: { type: Type; data: EventData<Type> } }[EventType]

/**
 * An *event* reports that an automation's run ended. It is written in the transaction that ends the run, as the exact bytes that
 * are sent: id and body are the same in every attempt to every endpoint.
 */
export interface WebhookEvent {
  id: string
  organizationId: string
  type: EventType
  createdAt: Date
  /** The envelope, as it is sent. */
  body: string
  /** A sample, which is not about a real run. */
  isTest: boolean
}
