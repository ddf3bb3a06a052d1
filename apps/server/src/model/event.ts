import type { EventData, EventType } from './event-type.ts'

/** The content that a publisher provides. */
export type EventContent = { [Type in EventType]: { type: Type; data: EventData<Type> } }[EventType]

/** The events that report the end of an automation's run. */
export const automationRunEventTypes = ['automation.run.completed', 'automation.run.failed'] as const satisfies EventType[]
export type AutomationRunEvent = Extract<EventContent, { type: (typeof automationRunEventTypes)[number] }>

/**
 * An *event* reports a change. It is written in the transaction of the change, as the exact bytes that are sent: id and body are the
 * same in every attempt to every endpoint.
 */
export interface WebhookEvent {
  id: string
  organizationId: string
  type: EventType
  createdAt: Date
  /** The envelope, as it is sent. */
  body: string
  /** A sample, which reports no real change. */
  isTest: boolean
}
